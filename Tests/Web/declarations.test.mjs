import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'node:test'
import { exportedNames, source } from './module.mjs'

const module = source('Sources/Server/ServedFiles/payrelay.js')
const declarations = source('Sources/Server/ServedFiles/payrelay.d.ts')

/** The quoted words of a union type. */
const words = name => {
    const [, body] = declarations.match(new RegExp(`export type ${name} =([^\\n]*(?:\\n    [^\\n]*)*)`))
    return [...body.matchAll(/'([a-z_-]+)'/g)].map(([, word]) => word).sort()
}

const all = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, word]) => word))].sort()

test('every export is declared, and nothing else', () => {
    assert.deepEqual(all(declarations, /^export (?:declare )?(?:class|function|const) (\w+)/gm), [...exportedNames].sort())
})

test('every error code of the module is declared, and every declared one is used', () => {
    const used = all(module, /(?:new CheckoutError\(|refused\(|code: )'([a-z-]+)'/g)
    assert.deepEqual(words('ErrorCode'), used)
})

test('every declared outcome is one of the module, and every outcome of the API is declared', () => {
    const sets = [...module.matchAll(/const (?:paid|open|final)Outcomes = new Set\((.*)\)/g)].map(([, list]) => list).join()
    // `processing` is what a payment is called while it is open: it is reported as `uncertain`.
    const reported = all(sets, /'([a-z_]+)'/g).filter(outcome => outcome !== 'processing').concat('canceled').sort()
    assert.deepEqual(words('Outcome'), reported)
    const [, list] = source('docs/openapi.yaml').match(/\n    Outcome:\n(?:.*\n)*?      enum:\n((?:        - \w+\n)+)/)
    const documented = all(list, /- (\w+)/g)
    assert.deepEqual(documented, reported.filter(outcome => outcome !== 'canceled').concat('processing').sort())
})

test('every option is declared', () => {
    const [, body] = declarations.match(/export interface Options \{\n([^]*?)\n\}/)
    const [, names] = module.match(/const optionNames = new Set\(\[([^]*?)\]\)/)
    assert.deepEqual(all(body, /^    (\w+)\??[:(]/gm), all(names, /'(\w+)'/g))
})

const tsc = ['tsc', '/usr/bin/tsc'].find(command => spawnSync(command, ['--version']).status === 0)

test('TypeScript takes what is right and refuses what is wrong', { skip: tsc ? false : 'there is no TypeScript compiler here' }, () => {
    const { status, stdout } = spawnSync(tsc, [
        '--noEmit', '--strict', '--target', 'es2022', '--module', 'es2022', '--moduleResolution', 'node',
        '--lib', 'es2022,dom', fileURLToPath(new URL('types.ts', import.meta.url)),
    ], { encoding: 'utf8' })
    assert.equal(stdout, '')
    assert.equal(status, 0)
})
