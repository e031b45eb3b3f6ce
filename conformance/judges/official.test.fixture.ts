import type { Test } from 'tap'
import type { FaultsIn, Judge } from './judge.ts'
import { type Needs, together } from './official.ts'

/** A test that is given the official things it needs; where one is missing, it is skipped and says why. */
export function testWith<Things extends object>(
  t: Pick<Test, 'test'>,
  needs: Needs<Things>,
  sentence: string,
  body: (t: Test, things: Things) => Promise<unknown> | unknown,
): void {
  const { here, missing } = together(needs)()
  // tap takes a test that answers no promise for unfinished.
  if (missing === undefined) t.test(sentence, async (t) => void (await body(t, here)))
  else t.test(sentence, { skip: missing }, () => {})
}

/** What a judge finds; where it is missing, that is nothing, and one assertion is skipped and says why. */
export function faultsBy<Document>(
  t: Pick<Test, 'pass'>,
  { name, open }: Pick<Judge<Document>, 'name' | 'open'>,
): FaultsIn<Document> {
  const { here, missing } = open()
  if (missing !== undefined) t.pass(name, { skip: missing })
  return here ?? (() => [])
}

/** Asserts that a judge finds no fault in a document; where the judge is missing, that is skipped and says why. */
export async function isFaultless<Document>(
  t: Pick<Test, 'strictSame' | 'pass'>,
  { name, open }: Judge<Document>,
  document: Document,
): Promise<void> {
  const { here: faultsIn, missing } = open()
  if (missing === undefined) t.strictSame(await faultsIn(document), [], name)
  else t.pass(name, { skip: missing })
}
