import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { profileSuite, projectionSuite } from 'otep-engine/testing'
import { board, repair } from '../dist/index.js'

const schema = JSON.parse(readFileSync(new URL('board.schema.json', import.meta.url), 'utf8'))
const isBoard = new Ajv2020().compile(schema)

/** The judge: the schema that the maker of the boards publishes. */
const judge = ({ mediaType, text }) => {
  if (mediaType !== 'application/json' || isBoard(JSON.parse(text))) return []
  return (isBoard.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

describe('the format board', () => projectionSuite(test, board, { judge }))
describe('the profile repair', () => profileSuite(test, repair, { projections: [board] }))
