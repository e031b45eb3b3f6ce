import { readFileSync } from 'node:fs'
import { sha256 } from '../../engine/index.ts'

/** A file that pages refer to; its path changes with its content, so that browsers may keep it for good. */
export interface Asset {
  readonly path: string
  readonly type: string
  readonly body: string
}

/** The files beside the pages: their styles, the live updates, the copy buttons and the mark. */
export interface Assets {
  readonly style: Asset
  /** Of all pages of whoever is signed in. */
  readonly signed: Asset
  readonly approvals: Asset
  readonly webhooks: Asset
  readonly live: Asset
  readonly copy: Asset
  readonly icon: Asset
}

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' }

/** Reads the assets, which lie beside the sources: this module runs in `dist`. */
export function readAssets(): Assets {
  return {
    style: read('track', 'css'),
    signed: read('signed-in', 'css'),
    approvals: read('approvals', 'css'),
    webhooks: read('webhooks', 'css'),
    live: read('track', 'js'),
    copy: read('copy', 'js'),
    icon: read('icon', 'svg'),
  }
}

function read(name: string, kind: keyof typeof types): Asset {
  const body = readFileSync(new URL(`../../../adapters/pages/assets/${name}.${kind}`, import.meta.url), 'utf8')
  return { path: `/assets/${name}.${sha256(body).slice(0, 12)}.${kind}`, type: types[kind], body }
}
