package touchstone.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import touchstone.bench.acts.Acts;
import touchstone.bench.acts.DeviceAct;
import touchstone.bench.models.CeremonyFailure;
import touchstone.bench.models.Clock;
import touchstone.bench.models.Credential;
import touchstone.bench.models.DeviceState;
import touchstone.bench.models.EventList;
import touchstone.bench.models.Outcome;

/** A device that runs in {@code touchstone control}. It is switched off by {@link #close()}. */
public abstract class SimulatedDevice implements Acts, AutoCloseable {
    private final Transport transport;
    private final String name;
    private final User user = new User(this);
    volatile boolean hasPlan;
    volatile boolean checksActs = true;
    private volatile boolean isClosed;

    SimulatedDevice(Transport transport, String name) {
        this.transport = transport;
        this.name = name;
    }

    JsonNode ask(String method, String path, Object body) {
        return transport.request(method, "/v1/devices/" + Transport.part(name) + path, body);
    }

    private <Answer> Answer ask(String method, String path, Object body, Class<Answer> type) {
        return Transport.read(ask(method, path, body), type);
    }

    /** The device's name, which its events have. */
    public String name() {
        return name;
    }

    /** The device's user, whose acts the test plans. */
    public User user() {
        return user;
    }

    /** The device's current state: PIN, retries, lockouts, sensors, faults. */
    public DeviceState state() {
        return ask("GET", "", null, DeviceState.class);
    }

    @Override
    public Outcome perform(DeviceAct act) {
        return ask("POST", "/acts", Map.of("verb", act.verb(), "arguments", act.arguments()), Outcome.class);
    }

    /** Time passes on the device's simulated clock. */
    public Clock waitFor(Duration time) {
        return ask("POST", "/clock", Map.of("advance", time.toMillis() + " ms"), Clock.class);
    }

    /** The user sets the clock back. */
    public Clock setClockBack(Duration time) {
        return ask("POST", "/clock", Map.of("setBack", time.toMillis() + " ms"), Clock.class);
    }

    /** Copies the device's state into the server's memory. */
    public void takeSnapshot(String snapshot) {
        ask("POST", "/snapshots", Map.of("name", snapshot));
    }

    /** Returns the device to a snapshot. */
    public DeviceState restore(String snapshot) {
        return ask("POST", "/restore", Map.of("snapshot", snapshot), DeviceState.class);
    }

    /** The credentials stored on the device, oldest first. */
    public List<Credential> credentials() {
        return transport.requestList("/v1/devices/" + Transport.part(name) + "/credentials", Credential.class);
    }

    /** Deletes a credential, by its ID in base64url, without telling the relying party. */
    public void deleteCredential(String credentialId) {
        ask("DELETE", "/credentials/" + Transport.part(credentialId), null);
    }

    /**
     * {@code navigator.credentials.create()} with this device: the RegistrationResponseJSON.
     *
     * <p>{@code options} are the server's PublicKeyCredentialCreationOptionsJSON. Throws {@code CeremonyException} with the page's error and
     * its reasons.
     */
    public String create(String options, String origin) {
        return ceremony("create", options, origin);
    }

    /**
     * {@code navigator.credentials.get()} with this device: the AuthenticationResponseJSON.
     *
     * <p>{@code options} are the server's PublicKeyCredentialRequestOptionsJSON. Throws {@code CeremonyException} with the page's error and its
     * reasons.
     */
    public String get(String options, String origin) {
        return ceremony("get", options, origin);
    }

    private String ceremony(String kind, String options, String origin) {
        ObjectNode body = Transport.JSON.createObjectNode().put("origin", origin);
        try {
            body.set("options", Transport.JSON.readTree(options));
        } catch (JsonProcessingException error) {
            throw new TouchstoneException(
                    "The options are not JSON: " + error.getOriginalMessage() + ". Give the server's JSON.", error);
        }
        JsonNode answer = ask("POST", "/ceremonies/" + kind, body);
        if (answer.has("error")) {
            throw new CeremonyException(Transport.read(answer, CeremonyFailure.class));
        }
        return answer.get("credential").toString();
    }

    /** The kept events of the device after the event with this ID; 0 for all. */
    public EventList events(long since) {
        return ask("GET", "/events?since=" + since, null, EventList.class);
    }

    /** The kept events of the device. */
    public EventList events() {
        return events(0);
    }

    /** Switches the device off. Throws {@code IdleActsException} afterwards if planned acts had no effect. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        try {
            checkActs();
        } finally {
            isClosed = true;
            ask("DELETE", "", null);
        }
    }

    void checkActs() {
        if (checksActs) {
            user.checkActs();
        }
    }

    boolean isClosed() {
        return isClosed;
    }
}
