import t from 'tap'
import { projectFolder } from '../conformance/program/files.ts'
import { emptyDirectory, followPage, packed, pluginPage } from './package.test.fixture.ts'
import { missing } from './run.test.fixture.ts'

t.test(
  `given an empty directory, when ${pluginPage} is followed, then it does what it says`,
  { skip: missing !== undefined && `there is no ${missing}` },
  async (t) => {
    await followPage(t, pluginPage, packed(projectFolder, emptyDirectory(t)))
  },
)
