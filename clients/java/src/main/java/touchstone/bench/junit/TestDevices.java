package touchstone.bench.junit;

import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import touchstone.bench.Bench;
import touchstone.bench.SimulatedDevice;
import touchstone.bench.TouchstoneException;
import touchstone.bench.models.EventList;
import touchstone.bench.models.Face;

/** The devices of a test or of a class. */
final class TestDevices {
    private final Bench bench;

    TestDevices(RunningControl control) {
        bench = new Bench(control.url(), control.token());
    }

    Bench bench() {
        return bench;
    }

    /** Adds the devices' events to a failure, which every report shows, and to the entries of the report. */
    void report(Throwable failure, ExtensionContext context) {
        for (SimulatedDevice device : bench.devices()) {
            String text = narrated(device);
            failure.addSuppressed(new DeviceEvents("events of " + device.name() + "\n" + text));
            context.publishReportEntry("touchstone events of " + device.name(), text);
        }
    }

    private static String narrated(SimulatedDevice device) {
        EventList events;
        try {
            events = device.events();
        } catch (TouchstoneException error) {
            return "not readable: " + error.getMessage();
        }
        StringBuilder text = new StringBuilder();
        for (EventList.Event entry : events.events()) {
            EventList.Event.EventDetails event = entry.event();
            text.append(String.format("%.3f %s: %s%n", event.at(), event.kind(), event.text()));
            if (event.cause() != null) {
                text.append("    cause: ").append(event.cause()).append(event.reason() == null ? "" : " (" + event.reason() + ")").append('\n');
            }
            for (Face face : event.faces() == null ? List.<Face>of() : event.faces()) {
                text.append("    ").append(face.layer()).append(": ").append(face.text()).append('\n');
            }
        }
        return text.length() == 0 ? "none" : text.toString().stripTrailing();
    }

    /** The events of a device, which every report of a failure shows below it. */
    static final class DeviceEvents extends Throwable {
        private static final long serialVersionUID = 1L;

        DeviceEvents(String text) {
            super(text, null, false, false);
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }
}
