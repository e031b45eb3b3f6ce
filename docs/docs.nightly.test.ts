import { packagePages } from './package.test.fixture.ts'
import { firstPages, runPages } from './run.test.fixture.ts'

runPages((path) => !firstPages.includes(path) && !packagePages.includes(path))
