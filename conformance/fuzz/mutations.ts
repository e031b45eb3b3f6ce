/** Random numbers from a seed: whole ones from 0 up to `below`. */
export type Random = (below: number) => number

/** Random numbers that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** Bytes of the longest input. */
const longest = 16_384

/** Texts that parsers treat in special ways. */
const words = [
  ...['{', '}', '[', ']', '"', ',', ':', '\\', '\\u0000', '\\ud800', 'null', 'true', '1e999', '-0', '9007199254740993'],
  ...['__proto__', 'constructor', 'toString', '\0', '\r\n', '\n', '\t', ' ', '\u00a0', '\ufeff', '\ud83d\ude00', 'İ'],
  ...[
    '<',
    '>',
    '</',
    '/>',
    '&amp;',
    '&#x0;',
    '&#99999999;',
    '<![CDATA[',
    ']]>',
    '<!--',
    '<!DOCTYPE',
    '<?xml',
    'xmlns:a="',
  ],
  ...['%', '%00', '%zz', '%C0%80', '/', '//', '?', '#', ';q=', 'q=0.001', '*/*', 'application/', 'en-', ';', '='],
  ...[
    'urn:epc:id:sscc:',
    'https://id.gs1.org/00/',
    '/414/',
    '00340123',
    '2026-02-30T25:61:61Z',
    '+99:99',
    '.999999999',
  ],
]

type Mutation = (input: Buffer, random: Random, other: Buffer) => Buffer

function replaced(input: Buffer, start: number, end: number, by: Uint8Array): Buffer {
  return Buffer.concat([input.subarray(0, start), by, input.subarray(end)])
}

/** A random range of at most so many bytes. */
function rangeIn(input: Buffer, random: Random, most = 64): readonly [start: number, end: number] {
  const start = random(input.length + 1)
  return [start, Math.min(input.length, start + random(most + 1))]
}

const mutations: readonly Mutation[] = [
  (input, random) => replaced(input, ...rangeIn(input, random, 1), Buffer.of(random(256))),
  (input, random) => replaced(input, ...rangeIn(input, random, 0), Buffer.of(32 + random(95))),
  (input, random) => replaced(input, ...rangeIn(input, random, 0), Buffer.from(words[random(words.length)] ?? '')),
  (input, random) => replaced(input, ...rangeIn(input, random, 8), Buffer.from(words[random(words.length)] ?? '')),
  (input, random) => replaced(input, ...rangeIn(input, random), Buffer.alloc(0)),
  (input, random) => input.subarray(0, random(input.length + 1)),
  (input, random) => {
    const [start, end] = rangeIn(input, random)
    const times = 1 + random(4) ** 4
    return replaced(input, end, end, Buffer.concat(Array.from({ length: times }, () => input.subarray(start, end))))
  },
  (input, random, other) => replaced(input, ...rangeIn(input, random), other.subarray(...rangeIn(other, random, 256))),
  (input, random, other) =>
    Buffer.concat([input.subarray(0, random(input.length + 1)), other.subarray(random(other.length + 1))]),
]

/** An input with a few random changes, some of which come from another one. */
export function mutated(input: Buffer, other: Buffer, random: Random): Buffer {
  let made = input
  for (let left = 1 + random(4); left > 0; left--)
    made = mutations[random(mutations.length)]?.(made, random, other) ?? made
  return made.subarray(0, longest)
}
