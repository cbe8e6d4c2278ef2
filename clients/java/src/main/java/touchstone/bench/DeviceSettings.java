package touchstone.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of a new device, beside its profile; a null has the server's default, and the clock is simulated. */
public record DeviceSettings(String name, String person, String clock, Long seed, boolean checksActs) {
    /** A simulated clock, a user who agrees, and planned acts that need an effect. */
    public static final DeviceSettings DEFAULT = new DeviceSettings(null, null, "simulated", null, true);

    /** With a name, by which devices of one profile differ. */
    public DeviceSettings named(String newName) {
        return new DeviceSettings(newName, person, clock, seed, checksActs);
    }

    /** With a user who waits for planned acts. */
    public DeviceSettings asking() {
        return new DeviceSettings(name, "ask", clock, seed, checksActs);
    }

    /** With the computer's clock. */
    public DeviceSettings withRealClock() {
        return new DeviceSettings(name, person, "real", seed, checksActs);
    }

    /** With a seed of the device's randomness. */
    public DeviceSettings seeded(long newSeed) {
        return new DeviceSettings(name, person, clock, newSeed, checksActs);
    }

    /** With planned acts that may have no effect. */
    public DeviceSettings withoutChecks() {
        return new DeviceSettings(name, person, clock, seed, false);
    }

    Map<String, Object> order(String profile) {
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("profile", profile);
        order.put("name", name);
        order.put("person", person);
        order.put("clock", clock);
        order.put("seed", seed);
        order.values().removeIf(value -> value == null);
        return order;
    }
}
