import type protobufjs from "protobufjs";
import type { MessageCodec } from "./message-codec.js";
import type { Method } from "./method.js";
import { type ProtobufNumbers, protobufNumbers } from "./protobuf-numbers.js";

/** Codecs and services of a proto text. */
export interface CompiledProto {
  /** Returns the codec of a message by its full name, `package.Message`. */
  codec<T>(name: string): MessageCodec<T>;
  /** Returns the methods of a service by its full name; `Service` states their types. */
  service<Service>(name: string): Service;
}

/** Codecs to use in place of the compiled ones, by full name of the message: for messages of a hot path. */
export type CodecOverrides = Readonly<Record<string, MessageCodec<never>>>;

/**
 * Compiles a text in the protobuf language, version 3. Members are called as in the text, in camel case; `int64` is a
 * number, `uint64` a bigint, `bytes` a Buffer, an enumeration a number, a message that is absent null. The library is
 * loaded with the first call, so that processes without gRPC do not pay for it.
 */
export async function compileProto(text: string, overrides: CodecOverrides = {}): Promise<CompiledProto> {
  const { default: library } = await import("protobufjs");
  const { root } = library.parse(text, { keepCase: false });
  root.resolveAll();
  setDefaults(root);
  const numbers = protobufNumbers(library);
  const codecs = new Map<string, MessageCodec<unknown>>(Object.entries(overrides));
  const codec = (name: string): MessageCodec<unknown> => {
    const known = codecs.get(name) ?? compiledCodec(root.lookupType(name), numbers);
    codecs.set(name, known);
    return known;
  };
  return {
    codec: <T>(name: string) => codec(name) as MessageCodec<T>,
    service: <Service>(name: string) => methodsOf(root.lookupService(name), codec) as Service,
  };
}

/** Sets what members are when they are absent: the numbers of JavaScript, Buffers, and null for members of a choice. */
function setDefaults(namespace: protobufjs.NamespaceBase): void {
  for (const item of namespace.nestedArray) {
    if ("fieldsArray" in item) {
      const type = item as protobufjs.Type;
      for (const field of type.fieldsArray) {
        const value = field.partOf === null ? defaults.get(field.type) : null;
        if (value !== undefined && !field.repeated) {
          (type.ctor.prototype as Record<string, unknown>)[field.name] = value;
        }
      }
    }
    if ("nestedArray" in item) {
      setDefaults(item as protobufjs.NamespaceBase);
    }
  }
}

const defaults = new Map<string, unknown>([
  ["int64", 0],
  ["uint64", 0n],
  ["bytes", Buffer.alloc(0)],
]);

function compiledCodec(type: protobufjs.Type, numbers: ProtobufNumbers): MessageCodec<unknown> {
  return {
    encode: (message) => type.encode(message as object, numbers.writer()).finish() as Buffer,
    decode: (bytes) => type.decode(numbers.reader(bytes)),
  };
}

function methodsOf(
  service: protobufjs.Service,
  codec: (name: string) => MessageCodec<unknown>,
): Record<string, Method<unknown, unknown>> {
  const packageName = service.fullName.slice(1);
  return Object.fromEntries(
    service.methodsArray.map((method) => {
      method.resolve();
      const request = codec(nameOf(method.resolvedRequestType));
      const response = codec(nameOf(method.resolvedResponseType));
      const definition: Method<unknown, unknown> = {
        path: `/${packageName}/${method.name}`,
        requestStream: method.requestStream === true,
        responseStream: method.responseStream === true,
        requestSerialize: request.encode,
        requestDeserialize: request.decode,
        responseSerialize: response.encode,
        responseDeserialize: response.decode,
      };
      return [method.name, definition];
    }),
  );
}

function nameOf(type: protobufjs.Type | null): string {
  if (type === null) {
    throw new TypeError("the proto text names a message that it does not define");
  }
  return type.fullName.slice(1);
}
