"""What cells hold of the slices' memory, through a real Jupyter client: scenarios 76 and 77."""
import unittest

from test_attach import AttachTest, Kernel


class MemoryTest(unittest.TestCase):
    setUp, tearDown, kernel = AttachTest.setUp, AttachTest.tearDown, AttachTest.kernel

    def test_a_failed_cell_keeps_no_memory_of_the_slices(self):
        kernel = self.kernel()
        kernel.run("%slices 1")
        kernel.run('var there = Mesh.of(Manager.current().activeDevices(), axis("d", 1)).replicated();')
        held = "System.gc(); Thread.sleep(200); System.out.print(((org.meshbook.elastic.controller.MeshRuntime) Manager.current().slices()).arrayBytes())"
        before = int(kernel.run(held))
        with self.assertRaisesRegex(AssertionError, "on purpose"):
            kernel.run('{ var big = put(Array.normal(1, 1000, 1000), there); big.toHost(); throw new IllegalStateException("on purpose " + big.type()); }')
        for _ in range(20):
            after = int(kernel.run(held))
            if after == before:
                break
        self.assertEqual(before, after)

    def test_out_of_memory_lists_the_largest_arrays_with_their_cells(self):
        # Options of the launcher of Java, which the head and its workers inherit.
        self.environment["JDK_JAVA_OPTIONS"] = "-XX:MaxDirectMemorySize=192m"
        kernel = self.kernel()
        kernel.run("%slices 1")
        kernel.run('var there = Mesh.of(Manager.current().activeDevices(), axis("d", 1)).replicated();')
        kernel.run("var some = put(Array.normal(1, 2_500_000), there); some.toHost();")
        with self.assertRaises(AssertionError) as failure:
            kernel.run(
                "var all = new ArrayList<Array>();\n"
                "for (int i = 0; i < 60; i++) { all.add(some.mul(some)); all.getLast().sum().item(); }"
            )
        said = str(failure.exception)
        self.assertIn("out of memory", said)
        self.assertRegex(said, r"the largest of \d+ arrays: 9 MiB array f32\[2500000\].* of cell 4")
        # it is no loss of the slice, and the kernel goes on
        kernel.run("all.clear(); System.gc(); Thread.sleep(500);")
        self.assertIn("healthy", kernel.run("%slices"))


if __name__ == "__main__":
    unittest.main()
