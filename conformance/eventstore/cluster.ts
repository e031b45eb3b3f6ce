import { createLog } from './log.ts'
import { type Double, startMember } from './member.ts'
import type { Member } from './node.ts'
import { host } from './server.ts'

/** Several servers on one log: replication is assumed, elections take no time. */
export interface Cluster {
  /** For the client, which asks the servers for the leader. */
  readonly connectionString: string
  readonly doubles: readonly Double[]
  /** Index of the server that takes appends. */
  leader(): number
  /** Makes the next living server the leader. */
  moveLeader(): void
  /** Stops a server; if it was the leader, the next running server becomes leader. */
  stopNode(index: number): Promise<void>
  /** Starts one again; it follows. */
  startNode(index: number): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a cluster. An append to a server that does not lead is refused, and the refusal names the leader; a real
 * follower does so only where the caller requires the leader, and passes on the rest.
 */
export async function startCluster(size: number): Promise<Cluster> {
  const log = createLog(Date.now())
  const alive = Array.from({ length: size }, () => true)
  const doubles: Double[] = []
  let leader = 0
  const members = () => doubles.map(({ port }, index) => memberOf(port, alive[index] === true, index === leader))
  const moveLeader = () => {
    const next = Array.from({ length: size }, (_, step) => (leader + 1 + step) % size)
    leader = next.find((index) => alive[index]) ?? leader
  }
  for (let index = 0; index < size; index++) {
    const leaderElsewhere = () => (index === leader ? undefined : { host, port: doubles[leader]?.port ?? 0 })
    doubles.push(await startMember(log, {}, { leaderElsewhere, members }))
  }
  const hosts = doubles.map(({ port }) => `${host}:${port}`).join(',')
  return {
    connectionString: `esdb://${hosts}?tls=false&nodePreference=leader`,
    doubles,
    leader: () => leader,
    moveLeader,
    stopNode: async (index) => {
      alive[index] = false
      if (index === leader) moveLeader()
      await doubles[index]?.stop()
    },
    startNode: async (index) => {
      await doubles[index]?.start()
      alive[index] = true
    },
    close: async () => {
      await Promise.all(doubles.map((double) => double.close()))
    },
  }
}

function memberOf(port: number, alive: boolean, leader: boolean): Member {
  return { host, port, alive, leader }
}
