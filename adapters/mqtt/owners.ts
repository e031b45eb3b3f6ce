import { type Context, type FollowEvent, followIn, followsWith, type RecordedEvent } from '../../engine/index.ts'

/** In whose name timelines are followed, by the id of the follow. One that has ended is known until the process ends. */
export function createOwners() {
  const owners = new Map<number, string>()
  return {
    ownerOf: (id: number) => owners.get(id),
    load: async (parts: Pick<Context, 'models'>) => {
      for (const { id, owner } of await followsWith(parts)) owners.set(id, owner)
    },
    note: (event: RecordedEvent) => {
      const { type, data, stream } = event as RecordedEvent<FollowEvent>
      if (type === 'FollowBegan') owners.set(followIn(stream), data.owner)
    },
  }
}
