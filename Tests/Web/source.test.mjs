import assert from 'node:assert/strict'
import test from 'node:test'
import { source } from './module.mjs'

const text = source('Sources/Server/ServedFiles/payrelay.js').replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '')

test('the module imports nothing, writes to no console, and needs nothing that a strict policy forbids', () => {
    for (const word of [
        /^\s*import\b/m, /\bimport\s*\(/, /\beval\b/, /\bnew Function\b/, /\bset(Timeout|Interval)\s*\(\s*['"`]/, /\bconsole\b/,
        /\bdocument\b/, /\blocation\b/, /\b(local|session)Storage\b/, /\binnerHTML\b/, /\bcookie\b/, /https?:/,
    ]) assert.doesNotMatch(text, word)
})

test('the module computes with no amount', () => {
    const code = text.replace(/'[^'\n]*'|"[^"\n]*"/g, "''")
    assert.doesNotMatch(code, /\b(parseFloat|parseInt|toFixed)\b/)
    assert.doesNotMatch(code, /amount\b\s*[-+*/%]|[-+*/%]\s*\w*\.?amount\b/)
})
