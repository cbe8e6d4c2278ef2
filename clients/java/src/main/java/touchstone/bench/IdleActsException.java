package touchstone.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import touchstone.bench.models.Person;

/** Planned acts of the user had no effect: a prompt ignored them, or no prompt asked for them. */
public final class IdleActsException extends TouchstoneException {
    private static final long serialVersionUID = 1L;
    private final transient Map<String, Person> acts;

    IdleActsException(Map<String, Person> acts) {
        super("Acts of the plan had no effect. "
                + acts.entrySet().stream().map(entry -> entry.getKey() + ": " + described(entry.getValue())).collect(Collectors.joining(" "))
                + " Remove them from the plan, or call forgetPlan() where the test means them.");
        this.acts = Collections.unmodifiableMap(new LinkedHashMap<>(acts));
    }

    private static String described(Person person) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (Person.Ignored ignored : person.ignored()) {
            byReason.computeIfAbsent(ignored.reason(), reason -> new ArrayList<>()).add(ignored.act());
        }
        List<String> sentences = new ArrayList<>();
        byReason.forEach((reason, acts) -> sentences.add("The prompt ignored " + String.join(", ", acts) + ": " + reason + "."));
        if (!person.planned().isEmpty()) {
            sentences.add("No prompt asked for " + String.join(", ", person.planned()) + ".");
        }
        return String.join(" ", sentences);
    }

    /** For each device the ignored acts with their reasons, and the planned ones, which no prompt asked for. */
    public Map<String, Person> acts() {
        return acts;
    }
}
