import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFile } from '../program/files.ts'
import type { FuzzTarget } from './loop.ts'

/** Bytes of all inputs of a target, and of the longest that is added because it runs new code. */
const limits = { target: 12_288, input: 1_024 }

function folderOf({ name }: FuzzTarget): string {
  return projectFile('conformance', 'fuzz', 'corpus', name)
}

/** The committed inputs of a target. */
export function corpusOf(target: FuzzTarget): readonly Buffer[] {
  const folder = folderOf(target)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name)))
}

/** Adds an input to the corpus, and returns its path. */
export function keepInput(target: FuzzTarget, input: Buffer): string {
  const folder = folderOf(target)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, createHash('sha256').update(input).digest('hex').slice(0, 12))
  writeFileSync(path, input)
  return path
}

/** Adds the inputs that fit into the corpus, the short ones first. */
export function growCorpus(target: FuzzTarget, inputs: readonly Buffer[]): void {
  let size = corpusOf(target).reduce((sum, { length }) => sum + length, 0)
  for (const input of inputs.toSorted((one, other) => one.length - other.length)) {
    size += input.length
    if (input.length > limits.input || size > limits.target) return
    keepInput(target, input)
  }
}
