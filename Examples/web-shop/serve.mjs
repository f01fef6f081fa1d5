// The shop's page, its backend and the relay behind one origin, to try them out. In production nginx does it: nginx.conf.
import { readFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { handle, listen } from '../backend/backend.mjs'

const relay = new URL(process.env.RELAY_URL ?? 'http://127.0.0.1:8080')
const ofRelay = /^\/((payrelay\/[0-9a-f]+\/)?payrelay\.js|v1\/payments(\/[\w.-]{1,40})?|v1\/apple-pay\/sessions)$/
const pages = new Map([
    ['/', ['index.html', 'text/html; charset=utf-8']],
    ['/shop.mjs', ['shop.mjs', 'text/javascript; charset=utf-8']],
    ['/shop.css', ['shop.css', 'text/css; charset=utf-8']],
])
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function forward(request, response) {
    // The relay gets the customer's address from here, not from what the customer says it is.
    const { connection, forwarded, ...headers } = request.headers
    headers['x-forwarded-for'] = request.socket.remoteAddress
    const { hostname, port } = relay
    const onward = send({ hostname, port, method: request.method, path: request.url, headers }, answer => {
        response.writeHead(answer.statusCode, answer.headers)
        answer.pipe(response)
    })
    // No answer proves nothing: the page asks again with the same bytes.
    onward.on('error', () => response.headersSent ? response.destroy() : response.writeHead(502).end())
    request.pipe(onward)
}

listen((request, response) => {
    if (ofRelay.test(request.url)) return forward(request, response)
    if (request.method !== 'GET' || !pages.has(request.url)) return handle(request, response)
    const [file, type] = pages.get(request.url)
    response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' })
    response.end(readFileSync(new URL(file, import.meta.url)))
})
