import type { MessageInput } from "./message-codec.js";

/** A method of a gRPC service. A record of methods is a service definition of grpc-js, for both sides. */
export interface Method<Request, Response> {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (request: MessageInput<Request>) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Request;
  readonly responseSerialize: (response: MessageInput<Response>) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
}

/** The methods of a service by the names that the proto text gives them. */
export type Methods<Types extends Record<string, readonly [request: unknown, response: unknown]>> = {
  readonly [Name in keyof Types]: Method<Types[Name][0], Types[Name][1]>;
};
