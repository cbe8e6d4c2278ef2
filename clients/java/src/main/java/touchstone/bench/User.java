package touchstone.bench;

import java.util.List;
import java.util.Map;
import touchstone.bench.acts.UserActs;
import touchstone.bench.models.Person;

/** The user of a device. The methods plan acts for the open prompt or the next prompts: {@code phone.user().noMatch(2).cancel()}. */
public final class User implements UserActs<User> {
    private final SimulatedDevice device;

    User(SimulatedDevice device) {
        this.device = device;
    }

    @Override
    public User plan(String... acts) {
        device.ask("POST", "/person/acts", Map.of("acts", List.of(acts)));
        device.hasPlan = true;
        return this;
    }

    /** Plans the choice of an account among several, by its place from 1. */
    public User choose(int account) {
        return plan("choose:" + account);
    }

    /** The open prompt, the planned acts, and those that a prompt ignored. */
    public Person state() {
        return Transport.read(device.ask("GET", "/person/acts", null), Person.class);
    }

    /** The words that have an effect now: those that answer the open prompt, or those that the next prompts can ask for. */
    public List<String> possibleActs() {
        Person person = state();
        return person.openPrompt() == null ? person.possible() : person.openPrompt().answers();
    }

    /** Forgets the planned acts and those that a prompt ignored: {@link #checkActs} then throws nothing for them. */
    public void forgetPlan() {
        device.ask("DELETE", "/person/acts", null);
        device.hasPlan = false;
    }

    /** Throws {@code IdleActsException} if planned acts had no effect. The acts are then forgotten. */
    public void checkActs() {
        if (!device.hasPlan) {
            return;
        }
        device.hasPlan = false;
        Person person = state();
        if (!person.planned().isEmpty() || !person.ignored().isEmpty()) {
            forgetPlan();
            throw new IdleActsException(Map.of(device.name(), person));
        }
    }
}
