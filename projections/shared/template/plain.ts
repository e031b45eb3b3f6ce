import { sha256 } from '../../../engine/index.ts'

/** What JSON escapes in a text (RFC 8259, section 7). `JSON.stringify` escapes a surrogate only if its pair is missing. */
export const escaped = /["\\\u0000-\u001f\ud800-\udfff]/

declare const unescaped: unique symbol

/** A text in which JSON escapes nothing. Only the functions that guarantee it, such as the ones below, return this type. */
export type Plain = string & { readonly [unescaped]: true }

/** The characters of a literal that JSON escapes. */
type Escape = '"' | '\\' | '\b' | '\f' | '\n' | '\r' | '\t'

/** A value whose type says that JSON escapes nothing in it: a `Plain` text or a literal. A `string` becomes `Plain`. */
export type Unescaped<Value> = Value extends string ? (IsLiteral<Value> extends true ? Value : Plain) : Value

type IsLiteral<Text extends string> =
  Record<never, never> extends Record<Text, unknown> ? false : Text extends `${string}${Escape}${string}` ? false : true

/** Two to four plain texts and literals, joined to one text. */
export function joined<const Parts extends readonly [string, string, string?, string?]>(
  ...parts: Parts & { readonly [At in keyof Parts]: Unescaped<Parts[At]> }
): Plain
export function joined(one: string, two: string, three = '', four = ''): Plain {
  return (one + two + three + four) as Plain
}

/** The first hexadecimal digits of the SHA-256 of a text, all 64 by default. */
export function hexDigest(text: string, length = 64): Plain {
  return sha256(text).slice(0, length) as Plain
}

/** A URL with the characters percent-encoded that no URL has but JSON would escape. */
export function encodedUrl(url: string): Plain {
  return (escaped.test(url) ? encodeURI(url.toWellFormed()) : url) as Plain
}

/** A finite number in JSON. */
export function digits(number: number): Plain {
  return String(number) as Plain
}
