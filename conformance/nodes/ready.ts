import { setTimeout } from 'node:timers/promises'

/** The nodes of a balancer that looks at `/readyz`, as those in front of a production server do. */
interface ReadyNodes {
  /** The ports of the nodes that were ready at the last look. */
  ports(): readonly number[]
  /** Looks at a node from now on; resolves when it is ready. */
  add(port: number): Promise<void>
  /** Resolves when a node is not ready any more. */
  left(port: number): Promise<void>
  close(): void
}

/** Milliseconds between two looks. */
const interval = 100

/** Watches no nodes yet. */
export function watchReady(): ReadyNodes {
  const states = new Map<number, boolean>()
  let isOver = false

  async function watch(port: number) {
    while (!isOver && states.has(port)) {
      const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status === 200,
        () => undefined,
      )
      if (isReady === undefined) states.delete(port)
      else states.set(port, isReady)
      await setTimeout(interval)
    }
  }

  async function until(port: number, isReady: boolean) {
    while (!isOver && (states.get(port) ?? false) !== isReady) await setTimeout(interval / 2)
  }

  return {
    ports: () => [...states].flatMap(([port, isReady]) => (isReady ? port : [])),
    add: (port) => {
      states.set(port, false)
      void watch(port)
      return until(port, true)
    },
    left: (port) => until(port, false),
    close: () => {
      isOver = true
    },
  }
}
