package touchstone.bench;

import java.util.List;
import touchstone.bench.models.Secret;

/** A simulated phone, tablet or computer, with a screen, apps and secure storage. */
public final class Phone extends SimulatedDevice {
    private final Transport transport;

    Phone(Transport transport, String name) {
        super(transport, name);
        this.transport = transport;
    }

    /** The items of apps in secure storage, without their values. */
    public List<Secret> secrets() {
        return transport.requestList("/v1/devices/" + Transport.part(name()) + "/secrets", Secret.class);
    }
}
