import { firstPages, runPages } from './run.test.fixture.ts'

runPages((path) => !firstPages.includes(path))
