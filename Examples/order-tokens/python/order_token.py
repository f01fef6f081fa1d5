import base64
import hmac
import json
import os
import sys
import time


def order_token(order, key, lifetime=300):
    """order: what the token pins. key: a JWK of the kind oct. lifetime: in seconds."""

    def encode(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    def part(members):
        return encode(json.dumps(members).encode())

    header = {"alg": "HS256", "kid": key["kid"]}
    claims = {**order, "aud": "payrelay", "exp": int(time.time()) + lifetime}
    signed = part(header) + b"." + part(claims)
    secret = base64.urlsafe_b64decode(key["k"] + "==")
    return (signed + b"." + encode(hmac.digest(secret, signed, "sha256"))).decode()


if __name__ == "__main__":
    with open(os.environ["ORDER_TOKEN_KEY_FILE"], "rb") as file:
        key = json.load(file)["keys"][0]
    print(order_token(json.load(sys.stdin.buffer), key))
