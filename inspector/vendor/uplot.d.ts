/** The chart library. */
import uPlot = require('uplot');

export default uPlot;
