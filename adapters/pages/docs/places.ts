import type { Article } from './shelf.ts'

/** The address of an article on this server. */
export function addressOf({ path }: Pick<Article, 'path'>): string {
  return path === '' ? '/docs' : `/docs/${path}`
}

/** The words of a heading, without its links and marks of code. */
export function plainOf(heading: string): string {
  return heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`\\*]/g, '')
}

/** The anchor that GitHub gives to a heading too, so that links work at both places. */
export function freeAnchor(heading: string, taken: Set<string>): string {
  const plain = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
  let anchor = plain
  for (let copy = 1; taken.has(anchor); copy++) anchor = `${plain}-${copy}`
  taken.add(anchor)
  return anchor
}
