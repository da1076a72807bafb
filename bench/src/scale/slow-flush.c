/*
 * Replaces the calls that flush a file by a wait, for simulate-cores.ts: the disk of processes that are slowed down must be slow
 * as well. Nothing is flushed. The file GATEHOUSE_FLUSH_FILE holds the microseconds, so that they can change. Loaded by
 * LD_PRELOAD.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int wait_as_a_flush(void) {
  const char *path = getenv("GATEHOUSE_FLUSH_FILE");
  FILE *file = path == NULL ? NULL : fopen(path, "r");
  long micros = 0;
  if (file != NULL) {
    if (fscanf(file, "%ld", &micros) != 1) micros = 0;
    fclose(file);
  }
  struct timespec rest = {micros / 1000000, micros % 1000000 * 1000};
  nanosleep(&rest, NULL);
  return 0;
}

int fdatasync(int fd) { return wait_as_a_flush(); }
int fsync(int fd) { return wait_as_a_flush(); }
