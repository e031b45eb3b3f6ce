import type { Command } from './command.ts'
import {
  forceOption,
  formatOptions,
  jsonOption,
  placeOption,
  pluginOption,
  serverOption,
  storeOption,
} from './options.ts'

/** THE LIST of commands. The help is generated from it alone, so this module loads nothing else. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    takes: '',
    summary: 'Serve the REST interface and the tracking pages.',
    options: {
      ...storeOption,
      port: {
        type: 'string',
        short: 'p',
        value: 'PORT',
        help: 'port to listen on (PORT, default 3000; 0 for any free one)',
      },
      host: { type: 'string', value: 'HOST', help: 'address to listen on (HOST, default localhost)' },
      limits: {
        type: 'string',
        value: 'LIMITS',
        help: 'off, or limits that differ from the defaults (OTEP_LIMITS): public_reads=100/s:400,misses=off',
      },
      workers: {
        type: 'string',
        value: 'N',
        help: 'processes that share the port (OTEP_WORKERS, default 1; auto: one for each core)',
      },
      'models-from': {
        type: 'string',
        value: 'FILE',
        help: 'begin with the read models of another node (otep backup --models), if this one has none',
      },
    },
    load: () => import('./serve.ts'),
  },
  {
    name: 'demo',
    takes: '',
    summary:
      'Serve a world to try things in: a business with 200 orders, drivers that move, lockers, failures, late parcels and webhooks, whose day goes by quickly. Stop with Ctrl-C.',
    options: {
      port: {
        type: 'string',
        short: 'p',
        value: 'PORT',
        help: 'port of 127.0.0.1 to listen on (default 3000; 0 for any)',
      },
      speed: { type: 'string', value: 'N', help: 'how many times faster than real time the day goes by (default 60)' },
      seed: { type: 'string', value: 'N', help: 'which world: the same number makes the same one (default 1)' },
      'data-dir': {
        type: 'string',
        value: 'DIR',
        help: 'empty directory to keep it in (default: a temporary one, which is removed at the end)',
      },
      ...jsonOption,
    },
    load: () => import('./demo.ts'),
  },
  {
    name: 'call',
    takes: 'OPERATION [FILE|-]',
    summary:
      'Call an operation of a server by its name, with its input from a JSON file, and print the answer as JSON.',
    options: { ...serverOption, ...jsonOption },
    load: () => import('./call.ts'),
  },
  {
    name: 'login',
    takes: 'URL',
    summary:
      'Sign in at a server in the browser, or keep a key for it. Other commands then ask this server in place of a store.',
    options: {
      profile: { type: 'string', value: 'NAME', help: 'name of the server here (default: default)' },
      scopes: {
        type: 'string',
        value: 'SCOPES',
        help: 'what to ask for: scopes or bundles such as ops-write or full (default ops-readonly)',
      },
      'key-stdin': { type: 'boolean', help: 'keep the key on the standard input, without the browser' },
      'no-browser': { type: 'boolean', help: 'only print the address to sign in at' },
      ...jsonOption,
    },
    load: () => import('./login.ts'),
  },
  {
    name: 'logout',
    takes: '',
    summary: 'End a sign-in at its server, and forget it.',
    options: { profile: { type: 'string', value: 'NAME', help: 'which one (default: the one in use)' } },
    load: () => import('./logout.ts'),
  },
  {
    name: 'profile',
    takes: 'list | use NAME|none | remove NAME',
    summary: 'List the servers that you have signed in to, choose the one that commands ask, or sign out of one.',
    options: jsonOption,
    load: () => import('./profile.ts'),
  },
  {
    name: 'ingest',
    takes: 'FILE|-',
    summary:
      'Record events from a file: an OTEP timeline, {timelines: [...]}, or one event with its subject a line (NDJSON).',
    options: {
      ...placeOption,
      ...jsonOption,
      as: {
        type: 'string',
        value: 'NAME',
        help: 'provider of events that do not name one (default cli)',
      },
      format: {
        type: 'string',
        value: 'FORMAT',
        help: 'input format if it is not otep; otep formats says which can be ingested',
      },
      atomic: { type: 'boolean', help: 'store nothing if any event is refused (at most 10,000 events)' },
    },
    load: () => import('./ingest.ts'),
  },
  {
    name: 'show',
    takes: 'NUMBER',
    summary: 'Show the timeline of a tracking number, or of any other identifier of the subject.',
    options: {
      ...placeOption,
      ...jsonOption,
      ...formatOptions,
    },
    load: () => import('./show.ts'),
  },
  {
    name: 'tail',
    takes: '[NUMBER]',
    summary:
      'Print events as they are recorded: of one timeline, or of all that you may see. After a lost connection it goes on where it was. Stop with Ctrl-C.',
    options: {
      ...placeOption,
      provider: { type: 'string', value: 'NAMES', help: 'only events of these providers, separated by commas' },
      status: { type: 'string', value: 'CODES', help: 'only events with these status codes, separated by commas' },
      count: { type: 'string', value: 'N', help: 'stop after N events' },
      json: { type: 'boolean', help: 'print a line of JSON for each event (NDJSON)' },
    },
    load: () => import('./tail.ts'),
  },
  {
    name: 'link',
    takes: 'NUMBER',
    summary: 'Print a signed link that shows all of a timeline to everybody who has it, until it expires.',
    options: {
      ...placeOption,
      ...jsonOption,
      for: { type: 'string', value: 'TIME', help: 'how long it is valid: 12h or 7d (default 7d, at most 365d)' },
    },
    load: () => import('./link.ts'),
  },
  {
    name: 'project',
    takes: 'FILE|-',
    summary: 'Print a file of events as documents of a format, one for each timeline, without a store.',
    options: {
      ...formatOptions,
      from: {
        type: 'string',
        value: 'FORMAT',
        help: 'input format if it is not otep; otep formats says which can be ingested',
      },
      as: { type: 'string', value: 'NAME', help: 'provider of events that do not name one (default cli)' },
    },
    load: () => import('./project.ts'),
  },
  {
    name: 'validate',
    takes: 'FILE|-',
    summary: 'Check the conformance of a timeline document. The exit code is 1 if it does not conform.',
    options: { ...pluginOption, ...serverOption, ...jsonOption },
    load: () => import('./validate.ts'),
  },
  {
    name: 'hash',
    takes: 'FILE|-',
    summary:
      'Print the event hash id of each event of an EPCIS document (JSON-LD or XML). The exit code is 1 if an event has the hash of another content as its id, or is refused.',
    options: jsonOption,
    load: () => import('./hash.ts'),
  },
  {
    name: 'formats',
    takes: '',
    summary: 'List the output formats and the input formats.',
    options: { ...pluginOption, ...jsonOption },
    load: () => import('./formats.ts'),
  },
  {
    name: 'provider',
    takes: 'add NAME | rotate NAME | list | revoke NAME | webhook NAME FORMAT',
    summary:
      'Add a provider, with a key for ingest (shown once), replace its key, list providers, revoke a key, or take its webhooks, whose secret comes from the standard input: in a store for one business or for all, at a server for your own.',
    options: {
      ...storeOption,
      ...jsonOption,
      business: {
        type: 'string',
        value: 'ID',
        help: 'with add to a store: the only business that it reports for',
      },
      'all-businesses': { type: 'boolean', help: 'with add to a store: it reports for every business' },
      expires: {
        type: 'string',
        value: 'TIME',
        help: 'with add and rotate: how long the new key is valid, such as 365d (default: for good, or as long as the one before)',
      },
      overlap: {
        type: 'string',
        value: 'TIME',
        help: 'with rotate: how long the key before is still accepted, such as 0h or 7d (default 24h)',
      },
      off: { type: 'boolean', help: 'with webhook, in place of a format: its webhooks are taken no more' },
      init: { type: 'boolean', help: 'with add: also if no server uses the store; makes the store if there is none' },
    },
    load: () => import('./provider.ts'),
  },
  {
    name: 'account',
    takes:
      'add EMAIL | add-service NAME | list | disable ID | enable ID | password ID | email ID ADDRESS | link ID | remove-factors ID',
    summary:
      'Add an account (its password is shown once), add one for a program that nobody can sign in to, list accounts, disable or enable one, set a password, give one another email address, link one with its identity at an issuer, or remove its second factors.',
    options: {
      ...placeOption,
      ...jsonOption,
      role: { type: 'string', value: 'ROLE', help: 'client_admin, client_employee, contractor, customer or driver' },
      name: { type: 'string', value: 'NAME', help: 'name of the person (default: the part before the @)' },
      business: { type: 'string', value: 'ID', help: 'business of the account, or of the listed accounts' },
      'new-business': { type: 'string', value: 'NAME', help: 'create a business for it' },
      'time-zone': { type: 'string', value: 'ZONE', help: 'time zone of the new business, such as Europe/Paris' },
      currency: { type: 'string', value: 'CODE', help: 'currency of the new business (ISO 4217)' },
      'password-stdin': { type: 'boolean', help: 'read the password from the standard input' },
      subject: { type: 'string', value: 'SUB', help: 'with link: `sub` of the tokens of the person' },
      issuer: { type: 'string', value: 'URL', help: 'with link: `iss` of these tokens (default: OTEP_OAUTH_ISSUER)' },
    },
    load: () => import('./account.ts'),
  },
  {
    name: 'role',
    takes: 'add NAME | list | change ROLE | delete ROLE | give ROLE|none ACCOUNT',
    summary:
      'Make a staff role that narrows what employees of a business may do, list, replace or delete roles, or give one to an account.',
    options: {
      ...placeOption,
      ...jsonOption,
      business: { type: 'string', value: 'ID', help: 'whose staff roles they are' },
      name: { type: 'string', value: 'NAME', help: 'with change: its name' },
      preset: { type: 'string', value: 'PRESET', help: 'with add and change: dispatcher, warehouse or read-only' },
      scopes: {
        type: 'string',
        value: 'SCOPES',
        help: 'with add and change: what it leaves, such as orders:read,routes:read',
      },
      operations: { type: 'string', value: 'NAMES', help: 'with add and change: the only operations that it leaves' },
      'read-only': { type: 'boolean', help: 'with add and change: it leaves only what changes nothing' },
    },
    load: () => import('./role.ts'),
  },
  {
    name: 'sign-on',
    takes: 'show BUSINESS | confirm BUSINESS DOMAIN | release BUSINESS DOMAIN | remove BUSINESS',
    summary:
      'Show the single sign-on of a business, confirm a domain that it has claimed or take one away, or remove its identity provider, so that passwords work again.',
    options: { ...storeOption, ...jsonOption },
    load: () => import('./sign-on.ts'),
  },
  {
    name: 'key',
    takes: 'add ACCOUNT|me | list [ACCOUNT] | rotate KEY | revoke KEY',
    summary: 'Make an API key of an account (shown once), list API keys, replace one, or revoke one.',
    options: {
      ...placeOption,
      ...jsonOption,
      name: { type: 'string', value: 'NAME', help: 'with add: what the key is for' },
      scopes: { type: 'string', value: 'SCOPES', help: 'with add: what it may do, such as orders:read,orders:write' },
      operations: { type: 'string', value: 'NAMES', help: 'with add: the only operations that it may call' },
      'read-only': { type: 'boolean', help: 'with add: it may only call what changes nothing' },
      expires: {
        type: 'string',
        value: 'TIME',
        help: 'with add and rotate: how long the new key is valid, such as 90d (default 365d, or as long as the one before)',
      },
      overlap: {
        type: 'string',
        value: 'TIME',
        help: 'with rotate: how long the key before is still accepted, such as 0h or 7d (default 24h)',
      },
      init: { type: 'boolean', help: 'with add: also if no server uses the store' },
    },
    load: () => import('./key.ts'),
  },
  {
    name: 'carrier',
    takes: 'add CARRIER | list | test ID | remove ID',
    summary: 'Add an account of a business at a carrier, list its accounts, ask whether one works, or remove one.',
    options: {
      ...placeOption,
      ...jsonOption,
      business: { type: 'string', value: 'ID', help: 'whose account it is' },
      name: { type: 'string', value: 'NAME', help: 'with add: as the business calls it (default the carrier)' },
      credentials: {
        type: 'string',
        value: 'FILE',
        help: 'with add: a JSON file with the credentials; - for the input',
      },
    },
    load: () => import('./carrier.ts'),
  },
  {
    name: 'module',
    takes: 'enable BUSINESS MODULE | disable BUSINESS MODULE | set BUSINESS MODULE STATE | list BUSINESS',
    summary:
      'Enable a module for a business, take it away, set its state (on, off, revoked or not_migrated), or list the modules.',
    options: { ...placeOption, ...jsonOption },
    load: () => import('./module.ts'),
  },
  {
    name: 'app',
    takes: 'add CODE FILE | assign CODE CLIENT FILE | show CODE | disable CODE [CLIENT] | enable CODE [CLIENT]',
    summary:
      'Configure an app or its assignment to a client from a JSON file (- is the standard input), or switch it on or off.',
    options: { ...storeOption, ...jsonOption },
    load: () => import('./app.ts'),
  },
  {
    name: 'webhooks',
    takes: 'listen | trigger EVENT | resend ID | pull QUEUE | parked | rebuild ID|all',
    summary:
      'Receive webhooks on this machine, or forward the events of the store to a URL (listen), send an example of an event, or a delivery again, or send on the queue of a server (pull). List the events of which no webhook could be made (parked), and make them again (rebuild). Stop with Ctrl-C.',
    options: {
      ...placeOption,
      ...jsonOption,
      'forward-to': {
        type: 'string',
        value: 'URL',
        help: 'with listen: send what the store records from now on to this URL; with trigger, resend and pull: where to send (trigger, pull: default http://127.0.0.1:4000)',
      },
      events: { type: 'string', value: 'NAMES', help: 'with --forward-to: only these events, separated by commas' },
      business: { type: 'string', value: 'ID', help: 'with --forward-to: only events of this business' },
      port: {
        type: 'string',
        short: 'p',
        value: 'PORT',
        help: 'port of 127.0.0.1 to listen on (default 4000; 0 for any)',
      },
      secret: { type: 'string', value: 'SECRET', help: 'secret that deliveries are signed with (OTEP_WEBHOOK_SECRET)' },
      status: {
        type: 'string',
        value: 'STATUS',
        help: 'status for verified deliveries, from 200 to 599 (default 200)',
      },
      fail: { type: 'string', value: 'N', help: 'answer 500 to the first N deliveries, to see the retries' },
      count: { type: 'string', value: 'N', help: 'stop after N deliveries' },
      body: { type: 'boolean', help: 'print the body of each delivery, too' },
    },
    load: () => import('./webhooks.ts'),
  },
  {
    name: 'backup',
    takes: 'FILE | DIRECTORY --keep N [--every TIME] | --models FILE',
    summary:
      'Copy the store to a file, even while servers write to it, or again and again to a directory; otep restore restores it. With --models, copy the read models of this node, from which another one begins.',
    options: {
      ...storeOption,
      ...jsonOption,
      ...forceOption,
      every: {
        type: 'string',
        value: 'TIME',
        help: 'make a backup whenever the newest in the directory is this old, until the program is stopped: 30m, 12h or 1d',
      },
      models: { type: 'boolean', help: 'copy the read models of this node, for otep serve --models-from' },
      keep: { type: 'string', value: 'N', help: 'keep the N newest backups of the directory, and remove older ones' },
    },
    load: () => import('./backup.ts'),
  },
  {
    name: 'restore',
    takes: 'FILE',
    summary: 'Replace the store with a backup, completely or not at all; running servers continue with it.',
    options: { ...storeOption, ...jsonOption, ...forceOption },
    load: () => import('./restore.ts'),
  },
  {
    name: 'verify',
    takes: '[FILE]',
    summary: 'Check the store or a backup: the file, the checksum of every event, the history and the read models.',
    options: { ...storeOption, ...jsonOption },
    load: () => import('./verify.ts'),
  },
  {
    name: 'upgrade',
    takes: '--check',
    summary:
      'Say which schemas the files of the store have, and what this version would do to them. The exit code is 1 if it cannot open them.',
    options: {
      ...storeOption,
      ...jsonOption,
      check: { type: 'boolean', help: 'change nothing; a server brings the files up by itself when it starts' },
    },
    load: () => import('./upgrade.ts'),
  },
  {
    name: 'doctor',
    takes: '',
    summary:
      'Check what can be wrong between this machine and its store, one thing after the other, and say what to do: address, TLS, rights and clocks of a server, or the file. The exit code is 1 if a check fails.',
    options: { ...storeOption, ...jsonOption },
    load: () => import('./doctor.ts'),
  },
  {
    name: 'nodes',
    takes: '',
    summary:
      'List the nodes that serve the store: since when, their last sign of life, which leases each holds, and how far its read models are.',
    options: { ...storeOption, ...jsonOption },
    load: () => import('./nodes.ts'),
  },
  {
    name: 'export',
    takes: '[FILE]',
    summary:
      'Write the whole history as NDJSON, to a file or the standard output; otep import reads it into any store.',
    options: { ...storeOption, ...forceOption },
    load: () => import('./export.ts'),
  },
  {
    name: 'import',
    takes: 'FILE|-',
    summary: 'Record an exported history in an empty store, or continue an interrupted import.',
    options: { ...storeOption, ...jsonOption },
    load: () => import('./import.ts'),
  },
  {
    name: 'forget',
    takes: 'NUMBER | --order ID | --label ID | --pickup ID | --account ID|EMAIL',
    summary:
      'Erase the personal data of a timeline, of an order and its timeline, of a label, of a pickup of labels, or of the person of an account, for good. Other data stays.',
    options: {
      ...{ ...storeOption, ...jsonOption, yes: { type: 'boolean', short: 'y', help: 'do not ask' } },
      order: {
        type: 'string',
        value: 'ID',
        help: 'an order of this store, with the orders it was rerouted from and to',
      },
      label: { type: 'string', value: 'ID', help: 'a label order of this store' },
      pickup: { type: 'string', value: 'ID', help: 'a pickup of labels of this store' },
      account: {
        type: 'string',
        value: 'ID|EMAIL',
        help: 'an account of this store; nobody can sign in to it any more',
      },
    },
    load: () => import('./forget.ts'),
  },
  {
    name: 'rebuild',
    takes: '[NAME]',
    summary:
      'Rebuild a read model from the events; the old one serves until the new one is ready. Without a name, list the read models.',
    options: {
      ...storeOption,
      ...jsonOption,
      all: { type: 'boolean', help: 'rebuild every read model' },
    },
    load: () => import('./rebuild.ts'),
  },
  {
    name: 'bench',
    takes: '',
    summary: 'Measure how fast this machine writes each format, compared with JSON.stringify of finished documents.',
    options: {
      ...pluginOption,
      seconds: { type: 'string', value: 'N', help: 'how long to measure, from 1 to 600 (default 20)' },
      ...jsonOption,
    },
    load: () => import('./bench.ts'),
  },
  {
    name: 'completion',
    takes: 'bash | zsh | fish',
    summary: 'Print a script that completes commands and options in a shell: source <(otep completion bash).',
    options: {},
    load: async () => ({ run: (await import('./completion.ts')).completionOf(commands) }),
  },
]
