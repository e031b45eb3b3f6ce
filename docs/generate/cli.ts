import { commands } from '../../adapters/cli/commands.ts'
import { commandHelp, programHelp } from '../../adapters/cli/help.ts'
import { fenced, page, table } from './markdown.ts'

/** The help of the program and of each command, as it is printed. */
export function cliPage(): string {
  return page(
    'Command line',
    ['adapters/cli/commands.ts', 'adapters/cli/help.ts'],
    [
      'In a clone, and wherever the package is installed, the program is `npx --no otep`: with `--no`, npx downloads nothing.',
      fenced('text', programHelp(commands)),
      ...commands.flatMap((command) => [`## otep ${command.name}`, fenced('text', commandHelp(command))]),
      '## Exit codes',
      table(
        ['code', 'meaning'],
        [
          ['0', 'done'],
          [
            '1',
            'refused: not found, an event rejected, a document that does not conform, a store that cannot be opened',
          ],
          ['2', 'the command line was not understood, the input is empty, or a plug-in cannot be used'],
        ],
      ),
      'What the environment sets is listed in [run the server](../how-to/run-the-server.md#settings).',
    ],
  )
}
