import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Something that a process did with its files, or said, in order. */
export type Step =
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Buffer; readonly offset?: number }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'sync'; readonly path: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'link' | 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'say'; readonly text: string }

const calls = 'openat,pwrite64,write,fsync,fdatasync,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat'

/** Whether processes can be traced here. */
export function canTrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
}

/** Runs a program until it ends, and returns what it did with files below `directory`, and what it said. */
export function trace(program: readonly string[], directory: string, log: string): readonly Step[] {
  const options = ['-f', '-y', '-xx', '-s', '33554432', '-e', `trace=${calls}`, '-o', log]
  const { status, stderr } = spawnSync('strace', [...options, process.execPath, ...program], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The traced program has failed: ${stderr}`)
  return stepsIn(readFileSync(log, 'latin1')).filter((step) => step.kind === 'say' || step.path.startsWith(directory))
}

function stepsIn(text: string): readonly Step[] {
  const begun = new Map<string, string>()
  const steps: Step[] = []
  for (const line of text.split('\n')) {
    const [, pid = '', said = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const [, start] = /^(.*) <unfinished \.\.\.>$/.exec(said) ?? []
    if (start !== undefined) begun.set(pid, start)
    else {
      const [, rest] = /^<\.\.\. \w+ resumed>(.*)$/.exec(said) ?? []
      // It counts when it has returned: no earlier can anybody rely on it.
      const step = stepOf(rest === undefined ? said : (begun.get(pid) ?? '') + rest)
      if (step !== undefined) steps.push(step)
    }
  }
  return steps
}

function stepOf(call: string): Step | undefined {
  const [, name = '', parts = '', result = ''] = /^(\w+)\((.*)\) += (\S+)/.exec(call) ?? []
  if (Number(result.split('<')[0]) < 0) return undefined
  const [, number = '', opened = ''] = /^(\d+)<([^>]*)>/.exec(parts) ?? []
  const path = bytesIn(opened).toString()
  const texts = [...parts.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text = '']) => bytesIn(text))
  const [first = '', second = ''] = texts.map(String)
  const last = Number(parts.slice(parts.lastIndexOf(',') + 1))
  if (name === 'write' && number === '1') return { kind: 'say', text: first }
  if (name === 'write') return { kind: 'write', path, bytes: texts[0] ?? Buffer.alloc(0) }
  if (name === 'pwrite64') return { kind: 'write', path, bytes: texts[0] ?? Buffer.alloc(0), offset: last }
  if (name === 'ftruncate') return { kind: 'truncate', path, size: last }
  if (name.endsWith('sync')) return { kind: 'sync', path }
  if (name.startsWith('rename')) return { kind: 'rename', path: first, to: second }
  if (name.startsWith('link')) return { kind: 'link', path: first, to: second }
  if (name.startsWith('unlink')) return { kind: 'unlink', path: first }
  return name === 'openat' && parts.includes('O_CREAT') ? { kind: 'create', path: first } : undefined
}

/** Reads bytes of which each is written as `\xNN`. */
function bytesIn(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex')
}
