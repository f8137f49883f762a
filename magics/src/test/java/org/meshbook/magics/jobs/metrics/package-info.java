/// Tests of the table of JobSets' figures.
@org.jspecify.annotations.NullMarked
package org.meshbook.magics.jobs.metrics;
