import { restore } from '../sqlite/restore.ts'
import { fileOfStore, oneFile } from './backup.ts'
import { type Command, jsonOption, storeOption } from './command.ts'
import { forceOption } from './new-file.ts'
import { progressOn } from './progress.ts'

/** `otep restore`: the contents of a backup become those of the store. */
export const restoreCommand: Command = {
  name: 'restore',
  takes: 'FILE',
  summary: 'Put a backup into the place of the store, whole or not at all; servers that run on it go on with it.',
  options: { ...storeOption, ...jsonOption, ...forceOption },
  run: async (invocation) => {
    const { values, stdout } = invocation
    const file = oneFile(invocation)
    const store = fileOfStore(invocation)
    const progress = progressOn(invocation, 1)
    const restored = await restore(file, store, {
      force: values.force === true,
      progress: (done, total) => progress.at(done / total, 'checked and restored'),
    }).finally(progress.end)
    if (values.json === true) stdout.write(`${JSON.stringify({ store, ...restored })}\n`)
    else stdout.write(`${restored.events} events are in ${store}, up to position ${restored.position ?? 'none'}.\n`)
    return 0
  },
}
