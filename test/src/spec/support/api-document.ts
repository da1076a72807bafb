/** The part of `metadata` that tests look into. */
export interface DocumentMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly managedFields?: readonly unknown[];
  readonly continue?: string;
  readonly remainingItemCount?: number;
  readonly [member: string]: unknown;
}

/** Any JSON document that the API answers with: an object, a list, a Status, a table. */
export interface ApiDocument {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: DocumentMeta;
  readonly items: readonly ApiDocument[];
  readonly data?: Readonly<Record<string, string>>;
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly [member: string]: unknown;
}

/** One event of a watch. */
export interface WatchDocument {
  readonly type: string;
  readonly object: ApiDocument;
}
