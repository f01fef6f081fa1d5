// Receives payrelay's events: docs/events.md says what a receiver has to do. Without packages.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'

const { EVENTS_SECRET, EVENTS_FILE = 'events.log', PORT = '8000' } = process.env
// Two of them, separated by a space, while the secret is changed.
const secrets = EVENTS_SECRET.split(/\s+/).filter(text => text).map(text => Buffer.from(text.replace(/^whsec_/, ''), 'base64'))
if (!secrets.length || secrets.some(secret => secret.length < 24)) throw new Error('EVENTS_SECRET must be whsec_ and base64')

// A line is an id, the base64 of the body and a full stop. Without the full stop it is torn and was never acknowledged.
const lines = existsSync(EVENTS_FILE) ? readFileSync(EVENTS_FILE, 'utf8').split('\n') : []
const known = new Set(lines.filter(line => line.endsWith(' .')).map(line => line.split(' ')[0]))
const log = openSync(EVENTS_FILE, 'a', 0o600)

function isSigned(headers, body) {
    const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': signatures = '' } = headers
    if (!/^[\w-]{1,100}$/.test(id) || !/^[0-9]{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
    return secrets.some(secret => {
        const expected = Buffer.from(`v1,${createHmac('sha256', secret).update(`${id}.${time}.`).update(body).digest('base64')}`)
        return signatures.split(' ').map(text => Buffer.from(text))
            .some(given => given.length === expected.length && timingSafeEqual(given, expected))
    })
}

async function receive(request) {
    if (request.method !== 'POST' || request.url !== '/events') return 404
    const pieces = []
    let length = 0
    for await (const piece of request) {
        length += piece.length
        if (length > 65_536) return 413
        pieces.push(piece)
    }
    const body = Buffer.concat(pieces)
    if (!isSigned(request.headers, body)) return 401
    const id = request.headers['webhook-id']
    if (known.has(id)) return 204
    // On the disk before it is acknowledged. What the event means is worked out afterwards, from the file: it pays an order only if
    // payment.amount, payment.currency and payment.account are that order's.
    writeSync(log, `\n${id} ${body.toString('base64')} .`)
    fsyncSync(log)
    known.add(id)
    console.log(`received ${id}`)
    return 204
}

const server = createServer(async (request, response) => {
    response.writeHead(await receive(request).catch(() => 500), { Connection: 'close' }).end()
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${server.address().port}`))
