import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class OrderToken {
    /** order: what the token pins, as the JSON object that your JSON library writes. lifetime: in seconds. */
    static String orderToken(String order, String kid, byte[] secret, int lifetime) throws GeneralSecurityException {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        String header = "{\"alg\":\"HS256\",\"kid\":\"" + kid + "\"}";
        // A claim that stands twice makes the relay refuse the token: the order cannot bring an aud or exp of its own.
        String claims = "{\"aud\":\"payrelay\",\"exp\":" + (Instant.now().getEpochSecond() + lifetime) + ","
            + order.strip().substring(1);
        String signed = base64.encodeToString(header.getBytes(UTF_8)) + "." + base64.encodeToString(claims.getBytes(UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        return signed + "." + base64.encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
    }

    public static void main(String[] arguments) throws Exception {
        String set = Files.readString(Path.of(System.getenv("ORDER_TOKEN_KEY_FILE")));
        String order = new String(System.in.readAllBytes(), UTF_8);
        byte[] secret = Base64.getUrlDecoder().decode(member("k", set));
        System.out.println(orderToken(order, member("kid", set), secret, 300));
    }

    /** Where you have a JSON library, it does this. */
    private static String member(String name, String json) {
        return Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]+)\"").matcher(json).results().findFirst()
            .orElseThrow().group(1);
    }
}
