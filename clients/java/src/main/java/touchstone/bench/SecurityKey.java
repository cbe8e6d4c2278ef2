package touchstone.bench;

import java.util.Map;
import touchstone.bench.models.Outcome;

/** A simulated security key. */
public final class SecurityKey extends SimulatedDevice {
    SecurityKey(Transport transport, String name) {
        super(transport, name);
    }

    /** Sets the client PIN. */
    public Outcome setPIN(String pin) {
        return Transport.read(ask("POST", "/pin", Map.of("newPIN", pin)), Outcome.class);
    }

    /** Changes the client PIN. */
    public Outcome changePIN(String current, String pin) {
        return Transport.read(ask("POST", "/pin", Map.of("newPIN", pin, "currentPIN", current)), Outcome.class);
    }

    /** Erases the key with authenticatorReset. */
    public Outcome reset() {
        return Transport.read(ask("POST", "/reset", null), Outcome.class);
    }
}
