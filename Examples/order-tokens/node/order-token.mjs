import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** order: what the token pins. key: a JWK, EC P-256 with its private part, or oct. lifetime: in seconds. */
export function orderToken(order, key, lifetime = 300) {
    const part = members => Buffer.from(JSON.stringify(members)).toString('base64url')
    const header = { alg: key.kty === 'oct' ? 'HS256' : 'ES256', kid: key.kid }
    const claims = { ...order, aud: 'payrelay', exp: Math.floor(Date.now() / 1000) + lifetime }
    const signed = `${part(header)}.${part(claims)}`
    const signature = key.kty === 'oct'
        ? createHmac('sha256', Buffer.from(key.k, 'base64url')).update(signed).digest()
        : sign('sha256', Buffer.from(signed), {
            key: createPrivateKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363',
        })
    return `${signed}.${signature.toString('base64url')}`
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
    const [key] = JSON.parse(readFileSync(process.env.ORDER_TOKEN_KEY_FILE, 'utf8')).keys
    console.log(orderToken(JSON.parse(readFileSync(0, 'utf8')), key))
}
