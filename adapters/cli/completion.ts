import { type Command, helpOption, type Run, usageError } from './command.ts'

/** `otep completion`: a script that completes command lines, made from the list of commands. */
export function completionOf(commands: readonly Command[]): Run {
  return async ({ positionals: [shell, second], stdout }) => {
    const script = shells.get(shell ?? '')
    if (script === undefined || second !== undefined)
      throw usageError(`Name one shell: ${[...shells.keys()].join(', ')}.`)
    stdout.write(script(completed(commands)))
    return 0
  }
}

/** What may follow a command, for all shells. */
interface Completed {
  readonly name: string
  readonly summary: string
  /** Words that may come first: `add` and `list` of `add NAME | list`. */
  readonly verbs: readonly string[]
  readonly options: readonly CompletedOption[]
}

interface CompletedOption {
  readonly name: string
  readonly short: string | undefined
  readonly help: string
  readonly takes: 'nothing' | 'a word' | 'a directory'
}

/** Every command, and `help`, which takes the name of one. */
function completed(commands: readonly Command[]): readonly Completed[] {
  const all = commands.map(completedOf)
  const verbs = all.map(({ name }) => name)
  return [...all, { name: 'help', summary: 'Describe a command.', verbs, options: [] }]
}

function completedOf({ name, takes, summary, options }: Command): Completed {
  const first = takes.split(' | ').map((way) => way.split(' ')[0] ?? '')
  return {
    name,
    summary,
    verbs: first.filter((word) => /^[a-z]+$/.test(word)),
    options: Object.entries({ ...options, ...helpOption }).map(([option, { short, value, help }]) => ({
      name: option,
      short,
      help,
      takes: value === undefined ? 'nothing' : value === 'DIR' ? 'a directory' : 'a word',
    })),
  }
}

const formsOf = ({ name, short }: CompletedOption) => (short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`])

/** After an option with a value, and where a file is meant, bash completes the names of files. */
function bashScript(all: readonly Completed[]): string {
  const names = all.map(({ name }) => name).join(' ')
  const valued = all.flatMap(({ options }) => options.filter(({ takes }) => takes !== 'nothing').flatMap(formsOf))
  const cases = all.map(
    ({ name, verbs, options }) =>
      `    ${name}) verbs='${verbs.join(' ')}' options='${options.flatMap(formsOf).join(' ')}' ;;`,
  )
  return `# Completion of otep for bash. In ~/.bashrc: source <(otep completion bash)
_otep() {
  local current=\${COMP_WORDS[COMP_CWORD]} verbs='' options=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${names} --help --version' -- "$current"))
    return
  fi
  case \${COMP_WORDS[COMP_CWORD - 1]} in
    ${[...new Set(valued)].join(' | ')}) return ;;
  esac
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif ((COMP_CWORD == 2)); then
    COMPREPLY=($(compgen -W "$verbs" -- "$current"))
  fi
}
complete -o default -F _otep otep
`
}

/** A text between single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const escaped = (text: string) => text.replaceAll(/[[\]:\\]/g, '\\$&')

function zshScript(all: readonly Completed[]): string {
  const described = all.map(({ name, summary }) => `    ${quoted(`${escaped(name)}:${summary}`)}`)
  const cases = all.map(({ name, verbs, options }) => {
    const action = { nothing: '', 'a word': ':value:', 'a directory': ':directory:_files -/' }
    const specs = options.flatMap((option) =>
      formsOf(option).map((word) => quoted(`${word}[${escaped(option.help)}]${action[option.takes]}`)),
    )
    const first = verbs.length > 0 ? quoted(`1:what:(${verbs.join(' ')})`) : ''
    return `    ${name}) _arguments ${[...specs, first, quoted('*:file:_files')].filter(Boolean).join(' ')} ;;`
  })
  return `#compdef otep
# Completion of otep for zsh. In ~/.zshrc, after compinit: source <(otep completion zsh)
_otep() {
  local -a commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
  esac
}
compdef _otep otep
`
}

function fishScript(all: readonly Completed[]): string {
  const lines = all.flatMap(({ name, summary, verbs, options }) => [
    `complete -c otep -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...verbs.map((verb) => `complete -c otep -n '__fish_seen_subcommand_from ${name}' -a ${verb}`),
    ...options.map(({ name: option, short, help, takes }) => {
      const letter = short === undefined ? '' : ` -s ${short}`
      const value = { nothing: '', 'a word': ' -x', 'a directory': " -x -a '(__fish_complete_directories)'" }[takes]
      return `complete -c otep -n '__fish_seen_subcommand_from ${name}' -l ${option}${letter}${value} -d ${quoted(help)}`
    }),
  ])
  return `# Completion of otep for fish: otep completion fish >~/.config/fish/completions/otep.fish
complete -c otep -n __fish_use_subcommand -f
${lines.join('\n')}
`
}

const shells: ReadonlyMap<string, (all: readonly Completed[]) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
])
