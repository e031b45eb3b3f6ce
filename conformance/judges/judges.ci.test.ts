import { judgeAll, shown } from './judges.test.fixture.ts'

await judgeAll(shown)
