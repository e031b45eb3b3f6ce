import cluster from 'node:cluster'
import { writeSync } from 'node:fs'

/** CPU time of a process, in microseconds, and its memory as it ended, in bytes. */
export interface Usage extends NodeJS.CpuUsage {
  readonly rss: number
}

// Loaded before a measured program: when the program ends, it writes to the descriptor that its parent reads.
// Workers of that program are loaded with it, too; their descriptor leads to the program.
if (cluster.isPrimary)
  process.once('exit', () => {
    const usage: Usage = { ...process.cpuUsage(), rss: process.memoryUsage.rss() }
    writeSync(3, JSON.stringify(usage))
  })
