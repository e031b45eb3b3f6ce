import { readFileSync } from 'node:fs'
import { sha256 } from '../../engine/index.ts'
import { packageFile } from '../node/package-files.ts'

/** A file that pages refer to. Its path changes with its content, so browsers may cache it indefinitely. */
export interface Asset {
  readonly path: string
  readonly type: string
  readonly body: string
}

/** The files beside the pages: their styles, the live updates, the copy buttons and the mark. */
export interface Assets {
  readonly style: Asset
  /** For all signed-in pages. */
  readonly signed: Asset
  /** For the pages of one's own account. */
  readonly account: Asset
  readonly approvals: Asset
  readonly webhooks: Asset
  readonly connections: Asset
  /** For the pages of API keys and staff roles. */
  readonly keys: Asset
  /** For the page of mark-ups. */
  readonly markUps: Asset
  /** For the page of today. */
  readonly today: Asset
  /** For the pages of orders. */
  readonly orders: Asset
  /** Keeps pages of orders current, and moves through lists by keys. */
  readonly ordersScript: Asset
  readonly live: Asset
  /** The web component for pages of others. */
  readonly timeline: Asset
  readonly copy: Asset
  /** Asks a device for a passkey. */
  readonly passkey: Asset
  /** For the page on which documents are tried. */
  readonly try: Asset
  readonly tryStyle: Asset
  /** For the documentation. */
  readonly docsStyle: Asset
  /** Keeps the part of a page that changes current. */
  readonly log: Asset
  readonly icon: Asset
}

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' }

/** Reads the assets from the source folder, since this module runs in `dist`. */
export function readAssets(): Assets {
  return {
    style: read('track', 'css'),
    signed: read('signed-in', 'css'),
    account: read('account', 'css'),
    approvals: read('approvals', 'css'),
    webhooks: read('webhooks', 'css'),
    connections: read('connections', 'css'),
    keys: read('keys', 'css'),
    markUps: read('mark-ups', 'css'),
    today: read('today', 'css'),
    orders: read('orders', 'css'),
    ordersScript: read('orders', 'js'),
    live: read('track', 'js'),
    timeline: read('otep-timeline', 'js'),
    copy: read('copy', 'js'),
    passkey: read('passkey', 'js'),
    try: read('try', 'js'),
    tryStyle: read('try', 'css'),
    docsStyle: read('docs', 'css'),
    log: read('log', 'js'),
    icon: read('icon', 'svg'),
  }
}

function read(name: string, kind: keyof typeof types): Asset {
  const body = readFileSync(packageFile(`adapters/pages/assets/${name}.${kind}`), 'utf8')
  return { path: `/assets/${name}.${sha256(body).slice(0, 12)}.${kind}`, type: types[kind], body }
}
