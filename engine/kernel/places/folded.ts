/** Letters of the Latin alphabet that Unicode does not take apart, and how people write them without their marks. */
const plain: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', æ: 'ae', œ: 'oe', ß: 'ss', ħ: 'h', ı: 'i', ŧ: 't', ŋ: 'ng', ƒ: 'f' },
}

/** A text in small letters with plain letters in the place of those. */
export function plainLetters(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (letter) => plain[letter] ?? letter)
}

/** A name as names are compared: without case, accents, spaces and punctuation. */
export function folded(name: string): string {
  return plainLetters(name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '')
}
