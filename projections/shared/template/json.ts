/** What stands in a JSON text in another way than in the text itself; pairs of surrogates are left to the judgement of JSON. */
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/

/** A text in JSON (RFC 8259, section 7), as `JSON.stringify` has it. */
export function quoted(text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** Longer texts are not worth remembering. */
const longest = 100

/** So many texts and numbers are remembered at a time; then all are forgotten. */
const most = 8_192

const texts = new Map<string, string>()

/** As `quoted`, for texts that come again and again: looking one up is cheaper than looking through it. */
export function remembered(text: string): string {
  return texts.get(text) ?? (text.length > longest ? quoted(text) : kept(texts, text, quoted(text)))
}

const numbers = new Map<number, string>()

/** A finite number in JSON; making decimals of a fraction is dear, and the places of a network are few. */
export function digits(number: number): string {
  if (Number.isInteger(number)) return String(number)
  return numbers.get(number) ?? kept(numbers, number, String(number))
}

function kept<Key>(memory: Map<Key, string>, key: Key, text: string): string {
  if (memory.size >= most) memory.clear()
  memory.set(key, text)
  return text
}
