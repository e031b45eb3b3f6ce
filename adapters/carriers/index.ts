export { createCarriers } from './ask.ts'
export { sandbox } from './sandbox.ts'
