package org.meshbook.magics.cli;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.kernel.spi.Command;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.cli.Finding.Outcome;
import org.meshbook.magics.render.Table;

/// Checks the machine and says what is missing: exit 0 if Meshbook can work, 1 if not.
public final class DoctorCommand implements Command {
    private static final Grammar GRAMMAR = new Grammar("doctor", List.of(), List.of());

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public String summary() {
        return "checks the machine and says what is missing";
    }

    @Override
    public int run(List<String> arguments) {
        try {
            GRAMMAR.parse(arguments);
        } catch (MagicException e) {
            System.err.println("meshbook: " + e.getMessage());
            return 2;
        }
        var findings = new ArrayList<Finding>();
        findings.addAll(MachineCheck.findings());
        findings.addAll(InstallationCheck.findings());
        findings.addAll(JupyterCheck.findings());

        var table = Table.of("", "thing", "found");
        for (var finding : findings) {
            table = table.row(finding.outcome().word(), finding.thing(), finding.found());
        }
        System.out.println(table.text());
        System.out.println();
        findings.stream()
                .filter(f -> !f.next().isEmpty())
                .forEach(f -> System.out.println(f.thing() + ": " + f.next()));
        boolean failed = findings.stream().anyMatch(f -> f.outcome() == Outcome.FAIL);
        System.out.println(
                failed ? "Meshbook cannot work here yet" : "Meshbook can work on this machine");
        return failed ? 1 : 0;
    }
}
