import { Session } from 'node:inspector'

/** What ran since the last look. */
interface Ran {
  /** The blocks of the program that ran. */
  readonly blocks: readonly string[]
  /** How often blocks ran in all: the work, which does not depend on the machine. */
  readonly work: number
}

/** Which code runs, as V8 counts it. */
export interface Coverage {
  look(): Ran
  stop(): void
}

interface CountedScript {
  readonly url: string
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[]
  }[]
}

const counted = /\/dist\/(?:adapters|engine|profiles|projections)\//

/** Starts to count. Code that is loaded later is counted, too. */
export function startCoverage(): Coverage {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

  function look(): Ran {
    let scripts: readonly CountedScript[] = []
    // The session is of this thread, so the answer is there at once.
    session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error) throw error
      scripts = answer.result
    })
    const blocks: string[] = []
    let work = 0
    for (const { url, functions } of scripts) {
      if (!counted.test(url)) continue
      for (const { ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges) {
          work += count
          if (count > 0) blocks.push(`${url} ${startOffset} ${endOffset}`)
        }
    }
    return { blocks, work }
  }

  return { look, stop: () => session.disconnect() }
}
