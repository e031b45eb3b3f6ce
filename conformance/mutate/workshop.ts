import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A copy of the compiled project, in which one file at a time is changed. */
export interface Workshop {
  /** Puts a text in the place of a compiled file while `work` runs. */
  readonly changed: <Result>(file: string, text: string, work: () => Promise<Result>) => Promise<Result>
  /** Whether a test passes; one that takes longer than `timeout` milliseconds does not. */
  readonly passes: (test: string, timeout?: number) => Promise<boolean>
  readonly close: () => void
}

/** Copies `dist` of a project; everything else is linked. */
export function openWorkshop(root: string): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'otep-mutate-'))
  const close = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', close)
  const others = readdirSync(root).filter((name) => name !== 'dist' && name !== '.git')
  for (const name of others) symlinkSync(join(root, name), join(folder, name))
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  return {
    async changed(file, text, work) {
      const path = join(folder, compiledName(file))
      const original = readFileSync(path, 'utf8')
      writeFileSync(path, text)
      try {
        return await work()
      } finally {
        writeFileSync(path, original)
      }
    },
    passes: (test, timeout) => passesIn(folder, test, timeout),
    close,
  }
}

/** Whether a test of a project passes, in a separate process that ends with the first failure. */
export function passesIn(folder: string, test: string, timeout?: number): Promise<boolean> {
  const child = spawn(process.execPath, ['--enable-source-maps', '--max-old-space-size=1024', compiledName(test)], {
    ...{
      cwd: folder,
      stdio: 'ignore',
      killSignal: 'SIGKILL',
      env: { TAP_TIMEOUT: '900', ...process.env, TAP_BAIL: '1', OTEP_TEST_MODULES: 'yes' },
    },
    ...(timeout !== undefined && { timeout }),
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}

function compiledName(file: string): string {
  return join('dist', file.replace(/\.ts$/, '.js'))
}
