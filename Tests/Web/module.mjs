// The module as the relay serves it. A browser recognizes an ES module by its media type, node by a name that ends in .mjs.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const source = name => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'payrelay-web-'))
const copy = join(folder, 'payrelay.mjs')
writeFileSync(copy, source('Sources/Server/ServedFiles/payrelay.js'))
const module = await import(pathToFileURL(copy))
rmSync(folder, { recursive: true })

export const { ApplePayCheckout, CheckoutError, amountText, rules } = module
export const exportedNames = Object.keys(module)
