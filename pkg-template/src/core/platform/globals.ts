/** Types of globals, for projects that have neither the types of the DOM nor those of Node. */

/** An `AbortSignal`. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Type } }
  ? Type
  : { readonly aborted: boolean; readonly reason: any };

/** A `URL`. */
export type Url = typeof globalThis extends { URL: { prototype: infer Type } }
  ? Type
  : { readonly href: string };

/** A function like `fetch`. */
export type Fetch = typeof globalThis extends { fetch: infer Type }
  ? Type
  : (url: any, init?: any) => Promise<any>;

/** A `ReadableStream` of texts, which can be iterated over. */
export type TextStream = (typeof globalThis extends {
  TextDecoderStream: { prototype: { readable: infer Type } };
}
  ? Type
  : { getReader(): any }) &
  AsyncIterable<string>;

/** A `ReadableStream` of bytes, which can be iterated over. */
export type ByteStream = (typeof globalThis extends { Response: { prototype: { body: infer Type } } }
  ? NonNullable<Type>
  : { getReader(): any }) &
  AsyncIterable<Uint8Array>;

/** Any `ReadableStream`. */
export type Streamed = typeof globalThis extends { ReadableStream: { prototype: infer Type } }
  ? Type
  : { getReader(): any };

/** Any `WritableStream`. */
export type AnyWritableStream = typeof globalThis extends { WritableStream: { prototype: infer Type } }
  ? Type
  : { getWriter(): any };
