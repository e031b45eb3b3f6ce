/**
 * Characters that nobody can see, beside white space: what Unicode lets programs leave out when they show a text (joiners,
 * directions, soft hyphens, variation selectors, tags, fillers), control characters, the blank of Braille, and annotations.
 */
const unseen = /[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]|(?!\s)\p{Cc}/u
const allUnseen = new RegExp(unseen, 'gu')

/** White space that is not the ordinary space, and what nobody can see at all. */
const unusual = new RegExp(`${unseen.source}|(?! )\\s`, 'gu')

/** What somebody would see. */
const seen = new RegExp(`(?!\\s|${unseen.source}).`, 'su')

/** Whether there is nothing to see in a text. */
export function isUnseen(text: string): boolean {
  return !seen.test(text)
}

/** A text without the characters that nobody can see; white space stays. */
export function withoutUnseen(text: string): string {
  return text.replace(allUnseen, '')
}

/** The characters of a text that nobody can see, or tell from a space: each once, as U+200B. */
export function unseenIn(text: string): readonly string[] {
  const names = text
    .match(unusual)
    ?.map((one) => `U+${(one.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`)
  return [...new Set(names)]
}

/**
 * The form in which the numbers of parcels and orders are compared: no white space, nothing that nobody can see, upper case,
 * Unicode NFC.
 */
export function numberKey(text: string): string {
  return formerKey(withoutUnseen(text))
}

/**
 * The forms in which a number may be kept, the present one first: earlier versions kept what nobody can see. Only a number that
 * has such characters has two.
 */
export function numberKeys(text: string): readonly [string, ...string[]] {
  return unseen.test(text) ? [numberKey(text), formerKey(text)] : [numberKey(text)]
}

/** The form in which references are searched for: that of `numberKey` without dashes. */
export function searchKey(text: string): string {
  return numberKey(text).replace(/\p{Pd}/gu, '')
}

function formerKey(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(/\s+/g, '').toUpperCase()
}
