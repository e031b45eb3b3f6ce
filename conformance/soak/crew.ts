import { startBalancer } from '../nodes/balancer.ts'
import { type Ending, type Figures, type Node, startNode } from './node.ts'

/** The servers under test, as those that push and read meet them. */
export interface Crew {
  /** Where requests go: a server that is alone, or the proxy before several. Undefined once the soak test is over. */
  port(): Promise<number | undefined>
  /** The ports of all servers, once each listens. */
  ports(): Promise<readonly number[]>
  /** Ends one of them, chosen by a number from 0 to 1, and starts it again. */
  restart(how: Ending, at: number): Promise<void>
  /** Ends all of them for good. */
  close(): Promise<void>
  figures(): Figures
}

/** Starts a server with its files in each of these directories. */
export async function startCrew(program: string, dataDirs: readonly string[], words: readonly string[]): Promise<Crew> {
  // One after the other: the first creates what all share.
  const nodes: Node[] = []
  for (const dataDir of dataDirs) nodes.push(await startNode({ program, dataDir, words }))
  const balancer =
    nodes.length > 1 ? await startBalancer(() => nodes.flatMap((node) => node.listening() ?? [])) : undefined
  return {
    port: async () => balancer?.port ?? nodes[0]?.port(),
    ports: async () => (await Promise.all(nodes.map((node) => node.port()))).flatMap((port) => port ?? []),
    restart: async (how, at) => nodes[Math.floor(at * nodes.length)]?.restart(how),
    close: async () => {
      await balancer?.close()
      await Promise.all(nodes.map((node) => node.close()))
    },
    figures: () => {
      const all = nodes.map(({ figures }) => figures)
      return {
        kills: all.reduce((sum, { kills }) => sum + kills, 0),
        stops: all.reduce((sum, { stops }) => sum + stops, 0),
        recoveries: all.flatMap(({ recoveries }) => recoveries),
      }
    },
  }
}
