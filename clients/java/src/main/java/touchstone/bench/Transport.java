package touchstone.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Requests to the control API, with the token. */
final class Transport {
    static final ObjectMapper JSON = new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(10)).build();
    private final URI url;
    private final String token;

    Transport(URI url, String token) {
        this.url = url;
        this.token = token;
    }

    /** A name as a part of a path. */
    static String part(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The answer's JSON. A ceremony waits for its user without a limit. Throws {@code RequestException} for a refusal. */
    JsonNode request(String method, String path, Object body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url.resolve(path)).header("Authorization", "Bearer " + token);
        try {
            if (body == null) {
                request.method(method, HttpRequest.BodyPublishers.noBody());
            } else {
                request.header("Content-Type", "application/json");
                request.method(method, HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)));
            }
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw refusal(response.statusCode(), response.body());
            }
            return JSON.readTree(response.body());
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new TouchstoneException("The thread was interrupted while the control API at " + url + " answered.", error);
        } catch (IOException error) {
            throw new TouchstoneException("The control API at " + url + " does not answer: " + error, error);
        }
    }

    private static RequestException refusal(int status, String text) {
        try {
            JsonNode error = JSON.readTree(text).path("error");
            if (error.path("code").isTextual()) {
                return new RequestException(status, error.path("code").asText(), error.path("message").asText());
            }
        } catch (JsonProcessingException error) {
            // The text below is all that the server says.
        }
        return new RequestException(status, "unknown", text);
    }

    <Answer> Answer request(String method, String path, Object body, Class<Answer> type) {
        return read(request(method, path, body), JSON.constructType(type));
    }

    <Answer> List<Answer> requestList(String path, Class<Answer> type) {
        return read(request("GET", path, null), JSON.getTypeFactory().constructCollectionType(List.class, type));
    }

    static <Answer> Answer read(JsonNode answer, Class<Answer> type) {
        return read(answer, JSON.constructType(type));
    }

    private static <Answer> Answer read(JsonNode answer, JavaType type) {
        try {
            return JSON.treeToValue(answer, type);
        } catch (JsonProcessingException error) {
            throw new TouchstoneException("The control API gave another answer than " + type.getRawClass().getSimpleName()
                    + ": " + error.getOriginalMessage() + ". Use a program and a client of one version.", error);
        }
    }
}
