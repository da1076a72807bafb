/*
 * Replaces the calls that flush a file by a wait of GATEHOUSE_FLUSH_MICROS, for simulate-cores.ts: processes that are slowed
 * down need a disk that is, too. Nothing is flushed. Loaded by LD_PRELOAD.
 */
#include <stdlib.h>
#include <time.h>

static int wait_as_a_flush(void) {
  const char *micros = getenv("GATEHOUSE_FLUSH_MICROS");
  long long nanos = micros == NULL ? 0 : atoll(micros) * 1000;
  struct timespec rest = {nanos / 1000000000, nanos % 1000000000};
  nanosleep(&rest, NULL);
  return 0;
}

int fdatasync(int fd) { return wait_as_a_flush(); }
int fsync(int fd) { return wait_as_a_flush(); }
