package touchstone.bench.acts;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** An act on a device: a verb with arguments, as in a scenario's step. */
public abstract class DeviceAct {
    private final String verb;
    private final Map<String, Object> arguments = new LinkedHashMap<>();

    DeviceAct(String verb) {
        this.verb = verb;
    }

    void put(String name, Object value) {
        arguments.put(name, value);
    }

    /** The word of the act, such as {@code enrol}. */
    public String verb() {
        return verb;
    }

    /** The arguments, with their names in scenarios. */
    public Map<String, Object> arguments() {
        return Collections.unmodifiableMap(arguments);
    }
}
