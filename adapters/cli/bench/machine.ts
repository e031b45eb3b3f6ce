import { arch, cpus, release, totalmem, type } from 'node:os'

/** The machine of a measurement. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly os: string
  readonly node: string
}

/** Describes this machine. */
export function machineHere(): Machine {
  const [cpu] = cpus()
  return {
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()} ${arch()}`,
    node: process.versions.node,
  }
}

/** The machine in one line. */
export function machineLine({ cpu, cores, memoryGiB, os, node }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${os}, Node ${node}`
}
