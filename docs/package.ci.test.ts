import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { browse, skip } from '../adapters/pages/browser.test.fixture.ts'
import { projectFile, projectFolder } from '../conformance/program/files.ts'
import { startServer } from '../conformance/program/server.ts'
import {
  carrierPage,
  emptyDirectory,
  followOnMachine,
  followPage,
  operatorPage,
  packed,
  run,
  shopPage,
  whyNoMachine,
} from './package.test.fixture.ts'
import { missing } from './run.test.fixture.ts'

t.test(
  'with the package as it is published',
  { skip: missing !== undefined && `there is no ${missing}` },
  async (t) => {
    const tarball = packed(projectFolder, emptyDirectory(t))
    const home = emptyDirectory(t)

    await t.test(`given an empty directory, when ${carrierPage} is followed, then it does what it says`, async (t) => {
      await followPage(t, carrierPage, tarball, home)
    })

    await t.test(
      `given an empty directory, when ${shopPage} is followed, then a browser shows the timeline in the page of the shop, and its news`,
      { skip },
      async (t) => {
        const directory = await followPage(t, shopPage, tarball)
        const { page, wrong } = await browse(t)
        await page.goto(`file://${join(directory, 'shop.html')}`)
        const timeline = page.locator('otep-timeline')
        await timeline.getByText('Kingston').first().waitFor()
        t.equal(await timeline.locator('h1').count(), 1)
        t.same(wrong, [])
      },
    )

    await t.test(
      `given a machine of Debian, when ${operatorPage} is followed, then there is a monitored server behind TLS`,
      { skip: whyNoMachine() },
      (t) => followOnMachine(t, operatorPage, tarball),
    )

    await t.test(
      'given the example, when it is built, tested, packed and installed beside the package, then a server has it',
      async (t) => {
        const example = emptyDirectory(t)
        const installed = (...path: readonly string[]) => join(home, 'node_modules', ...path)
        cpSync(projectFile('docs', 'examples', 'plugin'), example, { recursive: true })
        const npm = (where: string, ...words: readonly string[]) => {
          const { code, output } = run(where, 'npm', words)
          t.equal(code, 0, `npm ${words[0]}`, { output })
        }
        npm(example, 'install', '--no-save', tarball)
        npm(example, 'run', 'build')
        npm(example, 'test')
        npm(home, 'install', packed(example, emptyDirectory(t)))
        for (const path of ['deploy/systemd/install', 'deploy/prometheus/alerts.yml', 'examples/happy-path.json'])
          t.ok(existsSync(installed('otep-engine', 'docs', path)), `${path} is in the package`)
        t.notOk(existsSync(installed('typescript')), 'no compiler is installed')
        const cli = installed('otep-engine', 'dist', 'program', 'otep.js')
        t.match(run(home, process.execPath, [cli, 'bench', '--seconds', '1']), { code: 0, output: /epcis/ })
        const plugin = installed('otep-plugin-example', 'dist', 'index.js')
        const server = await startServer(cli, join(home, 'data'), [], ['--plugin', plugin])
        const text = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).text()
        t.match(await text('/api/v1/otep/formats'), /"format":"board"/)
        t.match(await text('/api/otep-guide/codebook.json'), /The device was handed back\./)
        t.equal(await server.stop(), 0)
        const formats = run(home, process.execPath, [cli, 'formats', '--plugin', 'otep-plugin-example'])
        t.match(formats, { code: 0, output: /board +Board 1\.0 \(state\)/ }, 'by the name of the package')
      },
    )
  },
)
