// Receives payrelay's events: docs/events.md says what a receiver has to do. Java 17 or later, without packages.
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Receiver {
    // Two of them, separated by a space, while the secret is changed.
    private static final List<byte[]> secrets = new ArrayList<>();
    private static final Set<String> known = new HashSet<>();
    private static FileChannel log;

    static boolean isSigned(Headers headers, byte[] body) throws GeneralSecurityException {
        String id = first(headers, "webhook-id"), time = first(headers, "webhook-timestamp");
        if (!id.matches("[A-Za-z0-9_-]{1,100}") || !time.matches("[0-9]{1,12}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) > 300) return false;
        for (byte[] secret : secrets) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update((id + "." + time + ".").getBytes(UTF_8));
            byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
            for (String given : first(headers, "webhook-signature").split(" ")) {
                if (MessageDigest.isEqual(expected, given.getBytes(UTF_8))) return true;
            }
        }
        return false;
    }

    static int receive(HttpExchange exchange) throws Exception {
        if (!exchange.getRequestMethod().equals("POST") || !exchange.getRequestURI().toString().equals("/events")) return 404;
        byte[] body = exchange.getRequestBody().readNBytes(65_537);
        if (body.length > 65_536) return 413;
        if (!isSigned(exchange.getRequestHeaders(), body)) return 401;
        String id = first(exchange.getRequestHeaders(), "webhook-id");
        if (known.contains(id)) return 204;
        // On the disk before it is acknowledged. What the event means is worked out afterwards, from the file: it pays an order only
        // if payment.amount, payment.currency and payment.account are that order's.
        ByteBuffer line = ByteBuffer.wrap(("\n" + id + " " + Base64.getEncoder().encodeToString(body) + " .").getBytes(UTF_8));
        while (line.hasRemaining()) log.write(line);
        log.force(true);
        known.add(id);
        System.out.println("received " + id);
        return 204;
    }

    static String first(Headers headers, String name) {
        return headers.getFirst(name) == null ? "" : headers.getFirst(name);
    }

    static String setting(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }

    public static void main(String[] arguments) throws Exception {
        for (String text : System.getenv("EVENTS_SECRET").trim().split("\\s+")) {
            secrets.add(Base64.getDecoder().decode(text.substring("whsec_".length())));
        }
        if (secrets.stream().anyMatch(secret -> secret.length < 24)) throw new Exception("EVENTS_SECRET is too short");
        Path file = Path.of(setting("EVENTS_FILE", "events.log"));
        log = FileChannel.open(file, CREATE, APPEND);
        // A line is an id, the base64 of the body and a full stop. Without the full stop it is torn and was never acknowledged.
        Files.readAllLines(file).stream().filter(line -> line.endsWith(" .")).forEach(line -> known.add(line.split(" ")[0]));
        int port = Integer.parseInt(setting("PORT", "8000"));
        // Without an executor of its own it answers one request after the other.
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> {
            int status = 500;
            try (exchange) {
                try {
                    status = receive(exchange);
                } catch (Exception error) {
                    System.err.println(error);
                }
                exchange.sendResponseHeaders(status, -1);
            }
        });
        server.start();
        System.out.println("listening at http://127.0.0.1:" + server.getAddress().getPort());
    }
}
