import { join } from 'node:path'
import type { DeliveryRepository } from '../../node/deliveries.ts'
import { createDeliveryRepository } from '../deliveries/index.ts'
import { attempt, delivery, reached } from '../deliveries/made.test.fixture.ts'
import { clock } from '../facts/events.test.fixture.ts'
import { atOnce, type Script, type Step } from './script.test.fixture.ts'

/** The repository, which can be closed and opened again in a script. */
interface Opened {
  repository: DeliveryRepository
  readonly file: string
}

const fileName = 'webhooks.db'
const whole = { limit: 100, offset: 0 }

function on(file: string): DeliveryRepository {
  return createDeliveryRepository({ file, clock })
}

type Repeatable = (repository: DeliveryRepository) => Promise<unknown>

function read(name: string, run: Repeatable): Step<Opened> {
  return { name, isRead: true, run: ({ repository }) => run(repository) }
}

function write(name: string, run: Repeatable): Step<Opened> {
  return { name, run: ({ repository }) => run(repository) }
}

const recorded = (id: string, state: 'delivered' | 'waiting' | 'dead', status: number) => ({
  ...{ id, attempt: attempt(1, status), state },
  ...(state === 'waiting' ? { dueAt: 9_000 } : {}),
})

/** Saving, claiming, sending, logging, erasing and purging of deliveries. */
export const deliveriesScript: Script<Opened> = {
  file: fileName,
  open: (directory) => {
    const file = join(directory, fileName)
    return { file, repository: on(file) }
  },
  close: ({ repository }) => repository.close(),
  content: async (directory) => {
    const repository = on(join(directory, fileName))
    const { deliveries, total } = await repository.page({ businessId: 7 }, whole)
    const details = await Promise.all(deliveries.map(({ id }) => repository.find(7, id)))
    const state = [await repository.checkpoint(), await repository.nextDueTimes(), await repository.countWaiting()]
    await repository.close()
    return { details, total, state }
  },
  steps: [
    write('recover', (repository) => repository.recover()),
    write('save', (repository) =>
      repository.save(
        ['a', 'b', 'c'].map((id) => delivery(id)),
        reached(1),
        [{ endpointId: 'e1', throttle: 'driver/7', at: 50 }],
      ),
    ),
    write('save again, and more', (repository) =>
      repository.save([delivery('c'), delivery('d', { subject: 'order/43' })], reached(2), []),
    ),
    write('add', (repository) => repository.add([delivery('e', { dueAt: 2_000 })])),
    read('read the checkpoint', (repository) => repository.checkpoint()),
    read('look for what is due', (repository) => repository.nextDueTimes()),
    read('claim', (repository) => repository.claim('e1', 1_500, 3)),
    read('count what waits', (repository) => repository.countWaiting()),
    {
      name: 'record attempts at once',
      // Each of the two is independent of the other.
      mayLeave: () => true,
      run: ({ repository }) =>
        atOnce([repository.record(recorded('a', 'delivered', 200)), repository.record(recorded('b', 'dead', 500))]),
    },
    write('release', (repository) => repository.release(['c'])),
    read('claim the rest', (repository) => repository.claim('e1', 3_000, 9)),
    write('skip', (repository) => repository.skip(['d'])),
    write('record a failure', (repository) => repository.record(recorded('e', 'waiting', 500))),
    read('read the log', (repository) => repository.page({ businessId: 7 }, whole)),
    read('find', (repository) => repository.find(7, 'b')),
    write('send again', (repository) => repository.retryNow(7, 'b', 4_000)),
    write('forget', (repository) => repository.save([], reached(3), [], ['order/42'])),
    read('find what was forgotten', (repository) => repository.find(7, 'a')),
    {
      name: 'close and open',
      run: async (opened) => {
        await opened.repository.close()
        opened.repository = on(opened.file)
        await opened.repository.recover()
      },
    },
    read('claim after the end', (repository) => repository.claim('e1', 9_500, 9)),
    write('purge', (repository) => repository.purge(clock() + 1, 100)),
    read('look for redeliveries', (repository) => repository.redeliverable({ businessId: 7 }, 10)),
  ],
}
